#include <stdio.h>
#include <string.h>

#include "hex.h"

#define CHECK(condition) do { if (!(condition)) { printf("line %d\n", __LINE__); return 1; } } while (0)

int main(void)
{
    const unsigned char bytes[] = {0, 1, 0x7f, 0x80, 0xff};
    unsigned char back[5];
    char text[12];
    memset(text, 'x', sizeof text);
    CHECK(hex_encode(bytes, 5, text, 10) == -1 && text[0] == 'x');
    CHECK(hex_encode(bytes, 5, text, 0) == -1 && text[0] == 'x');
    CHECK(hex_encode(bytes, 5, text, 11) == 10 && text[11] == 'x');
    CHECK(strcmp(text, "00017f80ff") == 0);
    CHECK(hex_decode("00017F80fF", back, 5) == 5 && memcmp(back, bytes, 5) == 0);
    CHECK(hex_decode("00017f80ff", back, 4) == -1);
    CHECK(hex_decode("123", back, 5) == -1);
    CHECK(hex_decode("1g", back, 5) == -1);
    CHECK(hex_decode("", back, 0) == 0);
    CHECK(hex_encode(bytes, 0, text, 1) == 0 && text[0] == 0);
    return 0;
}
