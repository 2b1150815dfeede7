#include "wire/messages.hpp"

#include <tuple>

namespace antiphon::launch {

// Structs that are not here are plain data, for which any bytes are a value; so none of them has a bool.
template <>
struct Fields<Variable> {
  using T = Variable;
  static constexpr auto members = std::tuple{&T::name, &T::value};
};
template <>
struct Fields<App> {
  using T = App;
  static constexpr auto members =
      std::tuple{&T::ranks, &T::environment, &T::working_directory, &T::search_path, &T::command};
};
template <>
struct Fields<LaunchCommand> {
  using T = LaunchCommand;
  static constexpr auto members = std::tuple{&T::words, &T::has_shell};
};
template <>
struct Fields<JobDescription> {
  using T = JobDescription;
  static constexpr auto members = std::tuple{&T::apps,
                                             &T::environment,
                                             &T::variables,
                                             &T::settings,
                                             &T::values,
                                             &T::bind_to,
                                             &T::map_by,
                                             &T::streams,
                                             &T::places,
                                             &T::node_names,
                                             &T::working_directory,
                                             &T::limits,
                                             &T::secret,
                                             &T::ports,
                                             &T::interfaces,
                                             &T::tell_details,
                                             &T::daemon,
                                             &T::launch,
                                             &T::fan_out};
};
template <>
struct Fields<BrokerEndpoint> {
  using T = BrokerEndpoint;
  static constexpr auto members = std::tuple{&T::port, &T::addresses};
};
template <>
struct Fields<Prepare> {
  using T = Prepare;
  static constexpr auto members = std::tuple{&T::job};
};
template <>
struct Fields<Start> {
  using T = Start;
  static constexpr auto members = std::tuple{&T::brokers};
};
template <>
struct Fields<Look> {
  using T = Look;
  static constexpr auto members = std::tuple{&T::number, &T::even_if_some_run};
};
template <>
struct Fields<HoldOutput> {
  using T = HoldOutput;
  static constexpr auto members = std::tuple{&T::stream, &T::hold};
};
template <>
struct Fields<Input> {
  using T = Input;
  static constexpr auto members = std::tuple{&T::bytes};
};
template <>
struct Fields<Prepared> {
  using T = Prepared;
  static constexpr auto members = std::tuple{&T::binding, &T::broker};
};
template <>
struct Fields<Started> {
  using T = Started;
  static constexpr auto members = std::tuple{&T::pids};
};
template <>
struct Fields<Failed> {
  using T = Failed;
  static constexpr auto members = std::tuple{&T::exit_status, &T::message};
};
template <>
struct Fields<Printed> {
  using T = Printed;
  static constexpr auto members = std::tuple{&T::rank, &T::stream, &T::bytes};
};
template <>
struct Fields<Aborted> {
  using T = Aborted;
  static constexpr auto members = std::tuple{&T::rank, &T::code, &T::text};
};
template <>
struct Fields<Ended> {
  using T = Ended;
  static constexpr auto members = std::tuple{&T::ranks, &T::kills};
};
template <>
struct Fields<RankView> {
  using T = RankView;
  static constexpr auto members = std::tuple{&T::rank,         &T::pid,    &T::by,   &T::condition, &T::sleeps,
                                             &T::wait_version, &T::cpu_ms, &T::wait, &T::waited_ns, &T::failure};
};
template <>
struct Fields<Seen> {
  using T = Seen;
  static constexpr auto members = std::tuple{&T::number, &T::some_run, &T::ranks};
};
template <>
struct Fields<Note> {
  using T = Note;
  static constexpr auto members = std::tuple{&T::text};
};
template <>
struct Fields<Finished> {
  using T = Finished;
  static constexpr auto members = std::tuple{&T::counted};
};
template <>
struct Fields<Lost> {
  using T = Lost;
  static constexpr auto members = std::tuple{&T::message};
};

namespace {

template <class Message>
std::string to_bytes(const Message& message) {
  Writer writer;
  writer.put(message);
  return writer.take();
}

template <class Message>
Message from_bytes(std::string_view bytes) {
  Reader reader(bytes);
  Message message;
  reader.get(message);
  reader.expect_end();
  return message;
}

}  // namespace

std::string encode(const NodeOrder& order) { return to_bytes(order); }
std::string encode(const NodeEvent& event) { return to_bytes(event); }
NodeOrder decode_order(std::string_view bytes) { return from_bytes<NodeOrder>(bytes); }
NodeEvent decode_event(std::string_view bytes) { return from_bytes<NodeEvent>(bytes); }
bool is_pause(std::string_view bytes) { return bytes == encode(NodeOrder{Pause{}}); }

}  // namespace antiphon::launch
