#ifndef HEX_H
#define HEX_H
#include <stddef.h>

/* Writes `size` bytes as lower-case hexadecimal digits and a final 0. `room` is the size of `out`.
   Returns the number of digits, or -1 without writing anything if there is not enough room. */
int hex_encode(const unsigned char *bytes, size_t size, char *out, size_t room);

/* Reads digits of both cases up to the final 0. Returns the number of bytes, or -1 for an odd number of digits,
   for another character, or if there is not enough room. */
int hex_decode(const char *text, unsigned char *out, size_t room);

#endif
