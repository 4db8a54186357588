// Blocks and the request to end.
#include <atomic>
#include <chrono>
#include <limits>
#include <thread>
#include <vector>

#include "check.hpp"
#include "nprewrite/mandelbrot.hpp"

namespace {

void every_block_once() {
  std::vector<int> seen(1000);
  auto never = nprewrite::never_interrupted();
  CHECK(nprewrite::for_blocks(1000, never, [&](std::int64_t block) { ++seen[block]; }));
  CHECK(seen == std::vector<int>(1000, 1));
  CHECK(nprewrite::for_blocks(0, never, [&](std::int64_t) { CHECK(false); }));
}

void ranges_cover() {
  for (const std::int64_t length : {0, 1, 7, 8, 9, 64}) {
    std::vector<int> seen(length);
    auto never = nprewrite::never_interrupted();
    CHECK(nprewrite::for_ranges(length, 8, never, [&](std::int64_t first, std::int64_t end) {
      for (std::int64_t i = first; i < end; ++i) ++seen[i];
    }));
    CHECK(seen == std::vector<int>(length, 1));
  }
}

void only_the_owner_asks() {
  std::atomic<int> asked{0}, elsewhere{0};
  const auto here = std::this_thread::get_id();
  nprewrite::Interruption interruption([&] {
    ++asked;
    elsewhere += std::this_thread::get_id() != here;
    return false;
  });
  CHECK(nprewrite::for_blocks(1000, interruption, [](std::int64_t) {}));
  CHECK(asked > 0 && elsewhere == 0);
}

// A request while another thread is inside the longest of blocks: two thousand million iterations of one point.
void a_long_block_ends() {
  const float origin = 0;
  std::complex<float> z;
  std::int64_t n;
  const auto start = std::chrono::steady_clock::now();
  const auto waited = [=] { return std::chrono::steady_clock::now() - start; };
  nprewrite::Interruption interruption([=] { return waited() > std::chrono::milliseconds(100); });
  const nprewrite::Grid<float> grid{&origin, &origin, 1, 1};
  CHECK(!nprewrite::mandelbrot(grid, std::numeric_limits<std::int32_t>::max(), 2.0f, &z, &n, interruption));
  CHECK(waited() < std::chrono::seconds(5));
}

}  // namespace

int main() {
  every_block_once();
  ranges_cover();
  only_the_owner_asks();
  a_long_block_ends();
  return failures;
}
