#include "hosts/daemon_command.hpp"

#include "hosts/host.hpp"

namespace antiphon::launch {
namespace {

// For a shell, in quotes if it needs any.
std::string quoted(const std::string& word) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return text + "'";
}

}  // namespace

std::vector<std::string> daemon_command(const JobDescription& job, const std::string& host) {
  if (job.launch.words.empty() || is_this_host(host)) return {job.daemon};
  std::vector<std::string> words = job.launch.words;
  words.push_back(host);
  words.push_back(job.launch.has_shell ? "exec " + quoted(job.daemon) : job.daemon);
  return words;
}

std::string shown(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + quoted(word);
  return text;
}

}  // namespace antiphon::launch
