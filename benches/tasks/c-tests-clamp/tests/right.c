#include "scale.h"

int percent(int value, int low, int high)
{
    if (low >= high)
        return -1;
    if (value < low)
        value = low;
    if (value > high)
        value = high;
    return (int)(((long long)value - low) * 100 / ((long long)high - low));
}
