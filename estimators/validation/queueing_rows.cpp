// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of queueing.csv: exact values of M/M/c and M/G/1 queues, and replays of request traces on serving programs.
#include "estimators/estimate.h"
#include "estimators/services/queueing.h"
#include "estimators/validation/kinds.h"
#include "estimators/validation/serving_fields.h"

#include <algorithm>
#include <cmath>

namespace cw {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

constexpr Field fields[] = {
    {"prob_wait", Dimension::fraction, 1, "p_wait|prob_of_wait|probability_of_wait|prob_delay|p_delay|delay_probability|erlang_c|c_erlang|pw|wait_probability"},
    {"wait_mean", Dimension::time, 1e-3, "mean_wait|wq|avg_wait|wait_avg|w_mean|queue_wait_mean|mean_queue_time|wait|waiting_time|wait_time|mean_waiting_time|queueing_delay"},
    {"wait_p99", Dimension::time, 1e-3, "p99_wait|wait_99|wq_p99|queue_wait_p99"},
    {"wait_p50", Dimension::time, 1e-3, "p50_wait|wait_median|median_wait"},
    {"wait_p95", Dimension::time, 1e-3, "p95_wait|wait_95"},
    {"response_mean", Dimension::time, 1e-3, "sojourn_mean|mean_response|mean_sojourn|response_time_mean|response|response_time|sojourn|sojourn_time|w_s|w_ms|w_us"},
    {"response_p99", Dimension::time, 1e-3, "sojourn_p99|p99_response|p99_sojourn|response_time_p99|p99_response_time|sojourn_time_p99"},
    {"queue_length", Dimension::number, 1, "lq|mean_queue_length|queue_len_mean|queue_len|mean_queue|queue_size"},
    {"in_system", Dimension::number, 1, "l|mean_in_system|number_in_system"},
    {"kind", Dimension::text, 1, "type|row_kind|data_kind"},
    {"queue", Dimension::text, 1, "model|queue_model|queue_type|system|discipline|notation"},
    {"distribution", Dimension::text, 1, "service_distribution|service_dist|service|dist"},
    {"arrivals", Dimension::number, 1, "lambda|arrival_rate|rate|lam|lambda_per_s|arrival_rate_per_s|rate_per_s|arrivals_per_s|request_rate|rps|arrival_rate_1_s|rate_1_s|lambda_1_s"},
    {"service_rate", Dimension::number, 1, "mu|mu_per_s|service_rate_per_s|service_rate_1_s|mu_1_s"},
    {"service_time", Dimension::time, 1e-3, "mean_service|service_mean|es|mean_service_time|service_time_mean|s_mean|service_time_ms|service_ms"},
    {"servers", Dimension::number, 1, "c|n_servers|num_servers|m|servers_count|channels|server_count|s|k"},
    {"load", Dimension::fraction, 1, "rho|utilisation|utilization|offered_load_per_server|util"},
    {"variance", Dimension::number, 1, "scv|cv2|cs2|service_scv|service_cv2|cs_squared|cv_squared|squared_cv|scv_service"},
    {"variation", Dimension::number, 1, "cv|cs|service_cv|cv_service"},
};
constexpr std::initializer_list<const char*> exactKeys{"prob_wait",     "wait_mean",    "wait_p99", "wait_p50", "wait_p95",
                                                       "response_mean", "response_p99", "latency_mean", "latency_p99",
                                                       "queue_length",  "in_system"};

/// Kendall's notation as a row has it: "M/G/1", "mmc", "M_D_1".
struct Notation {
    bool said = false;
    std::string arrivals, service, servers, places;
};

Notation notationOf(const Row& row) {
    Notation out;
    std::string text;
    for (const char c : wordsOf(row, {"queue"})) {
        if (c == ' ')
            break;
        text += c == '_' || c == '-' ? '/' : c;
    }
    const bool short3 = text.size() == 3 && hasWord("mdg", {text.substr(1, 1)}) && hasWord("0123456789csk", {text.substr(2)});
    if (short3) // "mm1"
        text = {text[0], '/', text[1], '/', text[2]};
    std::string* const parts[] = {&out.arrivals, &out.service, &out.servers, &out.places};
    std::size_t part = 0;
    for (const char c : text) {
        if (c == '/')
            ++part;
        else if (part < std::size(parts))
            *parts[part] += c;
    }
    out.said = part >= 2;
    return out;
}

bool isAny(std::string_view word, std::initializer_list<std::string_view> of) { return std::find(of.begin(), of.end(), word) != of.end(); }

/// Why a queue has no closed form here. Empty: Poisson arrivals, servers without end of waiting room.
std::string otherQueue(const Row& row) {
    const Notation queue = notationOf(row);
    if (!queue.said)
        return {};
    const std::string name = "\"" + std::string(row.text("queue").substr(0, 40)) + "\"";
    if (queue.arrivals != "m")
        return name + ": only queues with Poisson arrivals (M) are predicted";
    if (!isAny(queue.places, {"", "inf", "infinity", "fcfs", "fifo"}))
        return name + ": only queues with room for all that wait are predicted";
    if (isAny(queue.servers, {"inf", "infinity", "∞"}))
        return name + ": with servers for all nothing waits";
    const bool number = !queue.servers.empty() && queue.servers.find_first_not_of("0123456789") == std::string::npos;
    if (!number && !isAny(queue.servers, {"c", "s", "k", "m", "n"}))
        return name + ": the number of servers is not understood";
    const bool erlang = queue.service.starts_with("e") || queue.service.starts_with("h") || queue.service.starts_with("ln");
    if (!erlang && !isAny(queue.service, {"m", "d", "g", "gi"}))
        return name + ": the distribution of the service is not known";
    const bool varies = queue.service != "m" && queue.service != "d" && !hasWord(wordsOf(row, {"distribution"}), {"exp", "determin", "constant"});
    return varies && !row.has("variance") && !row.has("variation") ? name + ": how the service time varies is not given" : std::string();
}

/// As many as the row says, else as the notation does.
int serversOf(const Row& row) {
    const Notation queue = notationOf(row);
    const int named = queue.said ? std::atoi(queue.servers.substr(0, 8).c_str()) : 0;
    return row.count("servers", std::max(1, named));
}

/// Squared variation of the service time, by number or by the letter of the notation.
double variance(const Row& row) {
    if (const auto given = row.number("variance"))
        return *given;
    if (const auto given = row.number("variation"))
        return *given * *given;
    const std::string words = wordsOf(row, {"queue", "distribution", "notes", "id"});
    if (hasWord(words, {"/d/", "determin", "constant", "md1", "m_d_"}))
        return 0;
    return 1;
}

std::vector<Prediction> predictExact(const Row& row) {
    std::string why = otherQueue(row);
    if (why.empty())
        why = unusableInput(row, {"servers", "service_time", "service_rate"});
    if (!why.empty())
        return allWithout(row, exactKeys, why);
    double service = row.number("service_time", nothing);
    if (const auto rate = row.number("service_rate"); rate && *rate > 0)
        service = 1 / *rate;
    const int servers = serversOf(row);
    double arrivals = row.number("arrivals", nothing);
    if (const auto load = row.number("load")) {
        if (!std::isfinite(arrivals) && service > 0)
            arrivals = *load * servers / service;
        else if (!(service > 0) && arrivals > 0)
            service = *load * servers / arrivals;
    }
    if (!(service > 0) || !(arrivals >= 0))
        return allWithout(row, exactKeys, "arrival rate and service time are not given");
    const double cv2 = variance(row);
    const Waiting wait = waiting(arrivals, service, servers, cv2);
    if (!wait.stable)
        return allWithout(row, exactKeys, "unstable: more arrives than can be served");
    const Sojourn sojourn{0, {service, cv2}, wait};
    const std::map<std::string_view, double> values{{"prob_wait", wait.probability},     {"wait_mean", wait.mean()},
                                                    {"wait_p99", wait.quantile(.99)},    {"wait_p50", wait.quantile(.5)},
                                                    {"wait_p95", wait.quantile(.95)},    {"response_mean", sojourn.mean()},
                                                    {"response_p99", sojourn.quantile(.99)}, {"latency_mean", sojourn.mean()},
                                                    {"latency_p99", sojourn.quantile(.99)},  {"queue_length", arrivals * wait.mean()},
                                                    {"in_system", arrivals * sojourn.mean()}};
    std::vector<Prediction> out;
    for (const char* key : exactKeys)
        if (const auto measured = row.measured(key); measured && std::none_of(out.begin(), out.end(), [&](const Prediction& p) { return p.quantity == measured->column; }))
            out.push_back(predictionOf(*measured, values.at(key)));
    return out.empty() ? allWithout(row, exactKeys, "") : out;
}

std::vector<Prediction> predict(const Row& row, const Catalog& shipped) {
    const bool replay = hasWord(wordsOf(row, {"kind"}), {"measur", "replay", "run"}) || row.has("device") || row.has("ttft") || row.has("tpot");
    return replay && !hasWord(wordsOf(row, {"kind"}), {"analytic", "exact"}) ? predictReplay(row, shipped) : predictExact(row);
}

/// Fields of queues first, then those of serving.
std::span<const Field> queueingFields() {
    static const std::vector<Field> all = [] {
        std::vector<Field> list(std::begin(fields), std::end(fields));
        list.insert(list.end(), servingFields().begin(), servingFields().end());
        return list;
    }();
    return all;
}

} // namespace

const FileKind queueingKind{"queueing", queueingFields(), "prob_wait|wait_mean|wait_p99|response_mean", "", &predict};

} // namespace cw
