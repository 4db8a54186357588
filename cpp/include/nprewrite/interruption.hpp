// How a long kernel is asked to end early. Nothing here knows Python.
#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <utility>

namespace nprewrite {

// A request to end, which one thread looks for and all threads obey.
//
// Only the thread that made the object calls `asked`, so that this may be a function that one thread alone may call.
// A kernel that returns false was interrupted, and its results are incomplete.
class Interruption {
 public:
  explicit Interruption(std::function<bool()> asked) : asked_(std::move(asked)), owner_(std::this_thread::get_id()) {}

  // Whether to end. Cheap: call it between blocks of work, from any thread.
  bool requested() {
    if (!requested_.load(std::memory_order_relaxed) && is_owner() && asked_()) requested_ = true;
    return requested_.load(std::memory_order_relaxed);
  }

  bool is_owner() const { return std::this_thread::get_id() == owner_; }

 private:
  std::function<bool()> asked_;
  std::thread::id owner_;
  std::atomic<bool> requested_{false};
};

// For callers that wait for the end.
inline Interruption never_interrupted() {
  return Interruption([] { return false; });
}

}  // namespace nprewrite
