/* SPDX-License-Identifier: MIT
 *
 * What tells the last record of a converter, also a bad one's.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "allocator.h"
#include "toolwire.h"

static void expect_identity(tw_converter *converter, const char *record,
                            const char *shape, const char *identity)
{
    const char *json;
    size_t size;
    const char *found;
    (void)tw_converter_record(converter, record, strlen(record), &json, &size);
    found = tw_converter_shape(converter);
    cr_expect_str_eq(found != NULL ? found : "", shape, "%s", record);
    cr_expect_eq(tw_converter_identity(converter, &json, &size), TW_OK);
    cr_expect(size == strlen(identity) && memcmp(json, identity, size) == 0,
              "%s: %.*s", record, (int)size, json);
}

Test(converter, what_tells_a_record)
{
    const char *json;
    size_t size;
    tw_converter *converter = tw_converter_new("auto", "openai", NULL);
    expect_identity(converter,
                    "{\"custom_id\":\"a\\u00e9\",\"response\":null,"
                    "\"error\":{\"code\":\"late\"}}",
                    "batch",
                    "\"custom_id\":\"a\xc3\xa9\","
                    "\"request_error\":{\"code\":\"late\"}");
    expect_identity(converter,
                    "{\"id\":1.50,\"_id\":2,\"x_id\":{},"
                    "\"messages\":[{\"role\":\"robot\"}]}",
                    "openai", "\"id\":1.50");
    expect_identity(converter, "{\"uuid\":\"u\"}", "", "\"uuid\":\"u\"");
    expect_identity(converter, "{\"id\":1,}", "", "");
    expect_identity(converter, "[1]", "", "");
    expect_identity(converter,
                    "{\"id\":1,\"error\":{\"code\":\"TW_ERROR_JSON\"}}", "",
                    "\"id\":1");
    cr_expect_eq(tw_converter_identity(converter, NULL, &size),
                 TW_ERROR_ARGUMENT);
    cr_expect_eq(tw_converter_identity(NULL, &json, &size), TW_ERROR_ARGUMENT);
    cr_expect_null(tw_converter_shape(NULL));
    tw_converter_free(converter);
}

Test(memory, failing_identity)
{
    static const char record[] = "{\"id\":1,\"messages\":[]}";
    test_memory memory = {0};
    const tw_allocator allocator = test_allocator(&memory);
    tw_converter *converter = tw_converter_new("openai", "openai", &allocator);
    const char *json;
    size_t size;
    cr_assert_eq(tw_converter_record(converter, record, sizeof record - 1,
                                     &json, &size),
                 TW_OK);
    memory.fail_at = memory.count + 1;
    cr_expect_eq(tw_converter_identity(converter, &json, &size),
                 TW_ERROR_MEMORY);
    cr_expect_eq(tw_converter_identity(converter, &json, &size), TW_OK);
    tw_converter_free(converter);
    cr_assert_eq(memory.live, 0);
}
