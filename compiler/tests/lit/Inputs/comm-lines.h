// Code that is inlined into other files.
inline long first_of(const long* memory) {
  return memory[0];
}
inline void fill(long* memory, long n) {
  for (long i = 0; i < n; i++) memory[i] = 7;
}
