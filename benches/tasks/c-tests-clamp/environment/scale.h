#ifndef SCALE_H
#define SCALE_H

/* Maps a value from the range `low` to `high` to a percentage from 0 to 100, rounded down.
   Values outside of the range count as its nearer end. If `low` is not less than `high`, the result is -1. */
int percent(int value, int low, int high);

#endif
