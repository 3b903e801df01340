#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>

/// Whether allocations can be counted here. Where they cannot, the count stays zero.
bool allocation_counter_works(void);

/// Sets the count to zero and counts from now on, on all threads.
void allocation_counter_start(void);

/// Ends the counting.
///
/// Returns how often the process took memory from the heap since the start. Growing a block counts as taking one.
long allocation_counter_stop(void);

#endif
