#include "cli/slice.h"

#include "bl_test.h"

static void items_of_pages_are_joined_as_they_stand(void **state)
{
    static const char *const pages[] = {
        "{\"jobs\": [{\"id\": 1, \"name\": \"a]\\\"}\"}, {\"id\": 2}], \"next\": 2}",
        "{ \"next\" : {\"jobs\": [9]} , \"x\": \"jobs\", \"jobs\" : [ ] }",
        "{\"jobs\":[[3],\"}\" ]}",
        "{\"next\": null}",
        "{\"jobs\": 5}",
        "",
    };
    BL_AUTO_BUF out = {0};
    bool any = false;

    (void)state;
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        bl_slice_append_items(&out, pages[i], "jobs", &any);
    }
    assert_string_equal(bl_buf_text(&out),
                        "{\"id\": 1, \"name\": \"a]\\\"}\"}, {\"id\": 2},[3],\"}\"");
}

static void text_cut_short_at_any_byte_is_survived(void **state)
{
    static const char whole[] = "{\"a\": {\"b\": [1, \"\\\\\"]}, \"jobs\": [{\"id\": 1}]}";

    (void)state;
    for (size_t length = 0; length < sizeof whole; length++) {
        BL_AUTO_BUF text = {0};
        BL_AUTO_BUF out = {0};
        bool any = false;

        bl_buf_append(&text, whole, length);
        bl_slice_append_items(&out, bl_buf_text(&text), "jobs", &any);
        assert_true(out.length <= length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_of_pages_are_joined_as_they_stand),
        cmocka_unit_test(text_cut_short_at_any_byte_is_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
