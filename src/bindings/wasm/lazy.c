/* SPDX-License-Identifier: MIT
 *
 * Descriptions of formats as the texts that they are, read when a format is
 * first asked for: as tables they would be a quarter of the module.  build.py
 * puts this behind the amalgamation and |texts| in front of it:
 *
 *     static const struct { tw_description *description; const char *json;
 *                           size_t size; } texts[];
 *
 * A module has one thread; nothing else writes these descriptions.
 */

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
    const tw_memory memory = tw_memory_from(NULL);
    tw_loaded *loaded = tw_memory_new(&memory, sizeof *loaded);
    if (loaded == NULL || tw_description_load(loaded, &memory, texts[i].json,
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
