module limiter

go 1.19
