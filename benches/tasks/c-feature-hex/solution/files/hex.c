#include <string.h>

#include "hex.h"

int hex_encode(const unsigned char *bytes, size_t size, char *out, size_t room)
{
    static const char digits[] = "0123456789abcdef";
    size_t at;
    if (room == 0 || size > (room - 1) / 2)
        return -1;
    for (at = 0; at < size; at++) {
        out[2 * at] = digits[bytes[at] >> 4];
        out[2 * at + 1] = digits[bytes[at] & 15];
    }
    out[2 * size] = 0;
    return (int)(2 * size);
}

static int value(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    if (digit >= 'a' && digit <= 'f')
        return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F')
        return digit - 'A' + 10;
    return -1;
}

int hex_decode(const char *text, unsigned char *out, size_t room)
{
    size_t length = strlen(text), at;
    if (length % 2 != 0 || length / 2 > room)
        return -1;
    for (at = 0; at < length / 2; at++) {
        int high = value(text[2 * at]), low = value(text[2 * at + 1]);
        if (high < 0 || low < 0)
            return -1;
        out[at] = (unsigned char)(high * 16 + low);
    }
    return (int)(length / 2);
}
