#include <ctype.h>
#include <string.h>

#include "trim.h"

/* Returns the first character that is not blank, and ends the text after the last one. */
char *trim(char *text)
{
    char *end = text + strlen(text) - 1;
    while (isspace(*end))
        *end-- = 0;
    while (isspace(*text))
        text++;
    return text;
}
