#include "wire/messages.hpp"

#include <tuple>

namespace antiphon::launch {

// Structs that are not here are plain data, for which any bytes are a value; so none of them has a bool.
template <>
constexpr auto kFields<Variable> = std::tuple{&Variable::name, &Variable::value};
template <>
constexpr auto kFields<App> =
    std::tuple{&App::ranks, &App::environment, &App::working_directory, &App::search_path, &App::command};
template <>
constexpr auto kFields<LaunchCommand> = std::tuple{&LaunchCommand::words, &LaunchCommand::has_shell};
template <>
constexpr auto kFields<JobDescription> = std::tuple{&JobDescription::apps,
                                                    &JobDescription::environment,
                                                    &JobDescription::variables,
                                                    &JobDescription::settings,
                                                    &JobDescription::values,
                                                    &JobDescription::bind_to,
                                                    &JobDescription::map_by,
                                                    &JobDescription::streams,
                                                    &JobDescription::places,
                                                    &JobDescription::node_names,
                                                    &JobDescription::working_directory,
                                                    &JobDescription::limits,
                                                    &JobDescription::secret,
                                                    &JobDescription::ports,
                                                    &JobDescription::interfaces,
                                                    &JobDescription::tell_details,
                                                    &JobDescription::daemon,
                                                    &JobDescription::launch,
                                                    &JobDescription::fan_out};
template <>
constexpr auto kFields<BrokerEndpoint> = std::tuple{&BrokerEndpoint::port, &BrokerEndpoint::addresses};
template <>
constexpr auto kFields<Prepare> = std::tuple{&Prepare::job};
template <>
constexpr auto kFields<Start> = std::tuple{&Start::brokers};
template <>
constexpr auto kFields<Look> = std::tuple{&Look::number, &Look::even_if_some_run};
template <>
constexpr auto kFields<HoldOutput> = std::tuple{&HoldOutput::stream, &HoldOutput::hold};
template <>
constexpr auto kFields<Input> = std::tuple{&Input::bytes};
template <>
constexpr auto kFields<Prepared> = std::tuple{&Prepared::binding, &Prepared::broker};
template <>
constexpr auto kFields<Started> = std::tuple{&Started::pids};
template <>
constexpr auto kFields<Failed> = std::tuple{&Failed::exit_status, &Failed::message};
template <>
constexpr auto kFields<Printed> = std::tuple{&Printed::rank, &Printed::stream, &Printed::bytes};
template <>
constexpr auto kFields<Aborted> = std::tuple{&Aborted::rank, &Aborted::code, &Aborted::text};
template <>
constexpr auto kFields<Ended> = std::tuple{&Ended::ranks, &Ended::kills};
template <>
constexpr auto kFields<RankView> =
    std::tuple{&RankView::rank,         &RankView::pid,    &RankView::by,   &RankView::condition, &RankView::sleeps,
               &RankView::wait_version, &RankView::cpu_ms, &RankView::wait, &RankView::waited_ns, &RankView::failure};
template <>
constexpr auto kFields<Seen> = std::tuple{&Seen::number, &Seen::some_run, &Seen::ranks};
template <>
constexpr auto kFields<Note> = std::tuple{&Note::text};
template <>
constexpr auto kFields<Finished> = std::tuple{&Finished::counted};
template <>
constexpr auto kFields<Lost> = std::tuple{&Lost::message};

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
