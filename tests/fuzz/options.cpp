// Limits that the sanitizers watch, in libFuzzer's programs and in the driver's.

/// No array of ours above 2 GB, no more than 4 GB in all; a library that asks malloc() for more is told no, as
/// a system may.
extern "C" const char*
__asan_default_options() {  // NOLINT(bugprone-reserved-identifier): the sanitizer's name
  return "max_allocation_size_mb=2200:hard_rss_limit_mb=4000:allocator_may_return_null=1";
}

/// As tests/leaks.txt, for those who call a program by hand; and the HDF5 library leaks on damaged files.
extern "C" const char* __lsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
  return "leak:libfontconfig\nleak:libhdf5\n";
}
