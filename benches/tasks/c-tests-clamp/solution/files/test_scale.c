#include <limits.h>

#include "scale.h"

int main(void)
{
    int right = percent(5, 0, 10) == 50 && percent(15, 10, 20) == 50;
    right = right && percent(0, 0, 10) == 0 && percent(10, 0, 10) == 100;
    right = right && percent(-5, 0, 10) == 0 && percent(99, 0, 10) == 100;
    right = right && percent(2, 0, 3) == 66;
    right = right && percent(1, 5, 5) == -1 && percent(1, 9, 5) == -1;
    right = right && percent(INT_MAX, INT_MIN, INT_MAX) == 100 && percent(100000000, 0, 200000000) == 50;
    return right ? 0 : 1;
}
