#include <stdio.h>
#include <string.h>

#include "trim.h"

static int failed = 0;

/* The text lies between blanks, which must stay: they are outside of it. */
static void same(const char *given, const char *wanted)
{
    char memory[64] = "        ";
    char *text = memory + 8;
    strcpy(text, given);
    char *got = trim(text);
    if (strcmp(got, wanted) != 0 || memcmp(memory, "        ", 8) != 0) {
        printf("[%s] became [%s]\n", given, got);
        failed = 1;
    }
}

int main(void)
{
    same("  a b \t\n", "a b");
    same("", "");
    same("   ", "");
    same("x", "x");
    same("\v\f\rx\r\f\v", "x");
    same(" \xe4\xb8\xad\xc2\xa0 ", "\xe4\xb8\xad\xc2\xa0");
    return failed;
}
