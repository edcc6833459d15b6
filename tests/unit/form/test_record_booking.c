#include "record_test.h"

static const struct broken_record broken[] = {
    {"{\"event\":\"reserved\"}", "expected the key 'booking'"},
    {"{\"event\":\"reserved\",\"booking\":{\"uid\":1.5}}", "uid: expected a whole number"},
    {"{\"event\":\"reserved\",\"booking\":{\"slots\":[[1]]}}", "slots: expected [START, END]"},
    {"{\"event\":\"reserved\",\"booking\":{\"slots\":[[1,2,3],[4,5]]}}",
     "slots: expected [START, END, NUMBER]"},
    {"{\"event\":\"reserved\",\"booking\":{\"slots\":[[1,2,0]]}}", "from 1 to"},
    {"{\"event\":\"reserved\",\"booking\":{\"slots\":7}}",
     "slots: expected a list of at most 1000"},
    {"{\"event\":\"reserved\",\"booking\":{\"on\":[[\"n1\"]]}}", "on: expected [NODE, MASK]"},
    {"{\"event\":\"reserved\",\"booking\":{\"on\":[[\"n1\",\"x\"]]}}",
     "on: expected at most 16 hexadecimal digits"},
    {"{\"event\":\"reserved\",\"booking\":{\"when\":1}}", "when: unknown key"},
    {"{\"event\":\"reservation_changed\",\"booking\":{}}", "expected the key 'first'"},
    {"{\"event\":\"reservation_cancelled\",\"booking\":0}", "booking: expected a whole number"},
    {"{\"event\":\"reservation_restored\",\"booking\":{\"occurrences\":[{\"number\":1,\"state\":"
     "\"booked\",\"start_us\":2,\"end_us\":2}]}}",
     "occurrences: expected start_us < end_us"},
    {"{\"event\":\"reservation_restored\",\"booking\":{\"occurrences\":[{\"number\":2,\"state\":"
     "\"booked\",\"end_us\":2},{\"number\":2,\"state\":\"booked\",\"end_us\":2}]}}",
     "occurrences: expected occurrences in order of their numbers"},
    {"{\"event\":\"reservation_restored\",\"booking\":{\"occurrences\":[{\"number\":2,\"state\":"
     "\"gone\",\"end_us\":2}]}}",
     "state: expected one of booked, clearing"},
    {"{\"event\":\"save_learned\",\"application\":\"a\"}", "expected the key 'save_us'"},
};

static void broken_reservations_are_refused_with_their_key(void **state)
{
    (void)state;
    expect_broken_records(broken, FORM_ROWS(broken));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_reservations_are_refused_with_their_key),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
