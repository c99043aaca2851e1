/* SPDX-License-Identifier: MIT
 *
 * Descriptions of formats as the texts that they are, read when a format is
 * first asked for: as tables they would be a quarter of the module.  Of many
 * formats the texts are alike: packed they take a sixth.  build.py puts this
 * behind the amalgamation and in front of it
 *
 *     static const struct { tw_description *description; size_t at, size; }
 *         texts[];                               where in the unpacked texts
 *     enum { TEXTS_SIZE };
 *     static const unsigned char packed_texts[];  of packed() in build.py
 *
 * A module has one thread; nothing else writes these descriptions.
 */

static char all_texts[TEXTS_SIZE];

static void unpack_texts(void)
{
    const unsigned char *from = packed_texts;
    size_t at = 0;
    while (at < TEXTS_SIZE) {
        const unsigned char token = *from++;
        if (token < 128) {
            memcpy(all_texts + at, from, token + 1u);
            from += token + 1;
            at += token + 1u;
            continue;
        }
        const size_t behind = from[0] | (size_t)from[1] << 8;
        from += 2;
        /* What it repeats may be what it writes. */
        for (size_t left = token - 128u + 4u; left > 0; left--, at++) {
            all_texts[at] = all_texts[at - behind];
        }
    }
}

/* Before a format is given to any other function.  MEMORY. */
__attribute__((visibility("default"))) int tw_wasm_ready(tw_format *format);
int tw_wasm_ready(tw_format *format)
{
    size_t i = 0;
    while (i < sizeof texts / sizeof *texts &&
           texts[i].description != format->description) {
        i++;
    }
    if (i == sizeof texts / sizeof *texts ||
        texts[i].description->name != NULL) {
        return TW_OK;
    }
    if (all_texts[0] == '\0') {
        unpack_texts();
    }
    const tw_memory memory = tw_memory_from(NULL);
    tw_loaded *loaded = tw_memory_new(&memory, sizeof *loaded);
    if (loaded == NULL ||
        tw_description_load(loaded, &memory, all_texts + texts[i].at,
                            texts[i].size) != TW_OK) {
        tw_memory_free(&memory, loaded, sizeof *loaded);
        return TW_ERROR_MEMORY;
    }
    /* What it points to is kept as long as the module. */
    *texts[i].description = loaded->description;
    if (format->markers == NULL) {
        format->markers = format->description->public_markers;
        format->turn_heads = format->description->turns;
        format->call_heads = format->description->heads;
    }
    return TW_OK;
}
