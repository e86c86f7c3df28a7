/* A folder of its own for the tests of a group, which run in it: the setup and teardown of the
 * group. The tests remove what they make there. */
#ifndef INLAY_TESTS_FOLDER_H
#define INLAY_TESTS_FOLDER_H

int make_folder(void **state);
int remove_folder(void **state);

#endif
