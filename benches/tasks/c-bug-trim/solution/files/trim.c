#include <string.h>

#include "trim.h"

static int is_blank(char letter)
{
    return letter != 0 && strchr(" \t\n\v\f\r", letter) != NULL;
}

/* Returns the first character that is not blank, and ends the text after the last one. */
char *trim(char *text)
{
    size_t length;
    while (is_blank(*text))
        text++;
    length = strlen(text);
    while (length > 0 && is_blank(text[length - 1]))
        length--;
    text[length] = 0;
    return text;
}
