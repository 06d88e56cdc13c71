#ifndef TRIM_H
#define TRIM_H
char *trim(char *text);
#endif
