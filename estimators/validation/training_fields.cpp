// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/validation/training_fields.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cw {

namespace {

constexpr Field fields[] = {
    {"step_time", Dimension::time, 1,
     "iter_time|iter_time_s|iteration_time|time_per_iteration|time_per_step|step_time_s|seconds_per_iteration|s_per_iter|batch_time|"
     "iteration|step|elapsed_time_per_iteration|time_per_iter|sec_per_step|train_step_time|global_step_time|t_iter|t_step|time_step|step_latency|time_per_train_step|train_step_timing|sec_step|s_step|s_iter|sec_iter|seconds_per_step|seconds_per_iter|sec_per_iter|step_duration|iter|time_iter|iteration_duration"},
    {"operations_rate", Dimension::operations, 1e12,
     "tflops_per_gpu|tflops_per_device|achieved_tflops|tflops|tflops_gpu|model_tflops_per_gpu|tflop_s_per_gpu|teraflops_per_gpu|"
     "achieved_tflops_per_gpu|model_tflops|tflops_per_sec_per_gpu|tflop_per_s_per_gpu|achieved_teraflops_per_gpu|"
     "tflop_s_gpu|tflops_s_gpu|tflop_sec_gpu|tflop_per_gpu_s|per_gpu_tflops|per_gpu_tflop_s|per_gpu_teraflop_s|per_gpu_teraflops|tflops_per_s_per_gpu|gpu_tflops|"
     "model_tflop_sec_gpu|model_tflop_s_gpu|model_tflop_s_per_gpu|model_tflops_s_gpu|throughput_tflops_per_gpu|tflops_device|model_tflops_per_device|tflop_s|tflops_s|teraflop_s_per_gpu|teraflop_s_gpu|teraflops_gpu|teraflop_s"},
    {"total_rate", Dimension::operations, 1e15,
     "aggregate_pflop_s|aggregate_pflops|aggregate_petaflop_s|pflops_total|total_pflops|total_pflop_s|aggregate_tflops|aggregate_tflop_s|total_tflops|"
     "system_pflops"},
    {"hardware_rate", Dimension::operations, 1e12, "hardware_tflops_per_gpu|hw_tflops_per_gpu|hfu_tflops_per_gpu"},
    {"tokens_rate_per_gpu", Dimension::number, 1,
     "tokens_per_s_per_gpu|tokens_per_sec_per_gpu|tokens_s_gpu|tok_s_gpu|tps_per_gpu|tokens_per_second_per_gpu|tokens_per_gpu_per_s|"
     "tokens_per_gpu_s|tokens_gpu_s|wps_per_gpu|tps|tokens_per_sec_gpu|tps_gpu|tok_per_s_per_gpu|"
     "tokens_sec_gpu|tok_sec_gpu|throughput_tokens_per_s_per_gpu|tokens_per_s_per_device|tokens_per_sec_per_device|tokens_per_second_per_device|tgs|"
     "tokens_per_gpu_per_second|per_gpu_tokens_per_s|wps|tokens_per_device_per_s|tokens_per_s_gpu|throughput_per_gpu_tokens_s|throughput_tokens_s_gpu|throughput_tok_s_gpu|throughput_t_s_gpu|token_sec_gpu|token_s_gpu|tokens_second_gpu|tokens_s_device|toks_s_gpu|tokens_per_gpu_per_sec|throughput_tokens_per_gpu|tokens_per_sec_per_gpu_mean"},
    {"tokens_rate", Dimension::number, 1, "tokens_per_s|tokens_per_sec|tokens_per_second|tok_s|tokens_s|total_tokens_per_s|throughput_tokens_s|tokens_sec|tok_sec|toks_s|token_s|tokens_second"},
    {"samples_rate", Dimension::number, 1,
     "samples_per_s|samples_per_sec|sequences_per_s|sequences_per_second|samples_s|seq_per_s|images_per_s|examples_per_s|throughput_samples_s|samples_sec|sequences_s|sequences_sec|seqs_per_sec|seq_s|samples_second|throughput_samples_per_s|samples_per_second"},
    {"samples_rate_per_gpu", Dimension::number, 1,
     "samples_per_s_per_gpu|samples_per_sec_per_gpu|images_per_s_per_gpu|sequences_per_s_per_gpu|examples_per_s_per_gpu"},
    {"mfu", Dimension::fraction, 1, "mfu_pct|model_flops_utilization|mfu_percent|model_flops_utilisation"},
    {"hfu", Dimension::fraction, 1, "hfu_pct|hardware_flops_utilization|hfu_percent"},
    {"convention", Dimension::text, 1, "flops_convention|flop_convention|tflops_convention|convention|flops_count|flops_formula"},
    {"tp", Dimension::number, 1, "tensor_parallel|tensor|tensor_parallelism|tp_size|tensor_model_parallel_size|tensor_parallel_size|t|mp|model_parallel|tensor_mp_size|tensor_mp|tp_degree|tensor_parallel_degree|model_parallel_size", true},
    {"pp", Dimension::number, 1, "pipeline_parallel|pipeline|pipeline_parallelism|pp_size|pipeline_model_parallel_size|pipeline_parallel_size|pipeline_stages|p|pipeline_mp_size|pipeline_mp|pp_degree|pipeline_parallel_degree", true},
    {"dp", Dimension::number, 1, "data_parallel|data|data_parallelism|dp_size|data_parallel_size|replicas|d|dp_degree|data_parallel_degree|dp_shard"},
    {"cp", Dimension::number, 1, "context_parallel|context|context_parallelism|cp_size|context_parallel_size"},
    {"ep", Dimension::number, 1, "expert_parallel|expert|expert_parallelism|ep_size|expert_model_parallel_size|expert_parallel_size"},
    {"etp", Dimension::number, 1, "expert_tensor_parallel|expert_tensor_parallel_size"},
    {"vpp", Dimension::number, 1,
     "interleave|virtual_stages|interleaving|vp|v|virtual_pipeline|virtual_pipeline_parallel|chunks|model_chunks|num_chunks|virtual_pipeline_stages|"
     "interleaved_stages|virtual_pp|vp_size|vpp_size|virtual_pipeline_size|virtual_pipeline_parallel_size|virtual_pipeline_model_parallel_size|num_model_chunks"},
    {"micro_batch", Dimension::number, 1,
     "mbs|micro_batch_size|microbatch|microbatch_size|local_batch|local_batch_size|batch_per_gpu|per_gpu_batch|micro_bs|micro_batch_size_per_gpu|b|"
     "device_train_microbatch_size|microbatchsize|batch_size_micro|ubatch|micro_batch_per_gpu|batch_size_per_gpu|lbs|per_device_batch|per_device_batch_size|per_device_train_batch_size|per_gpu_batch_size|device_batch_size|device_batch|batch_size_gpu|mbs_per_gpu|batch_gpu", true},
    {"global_batch", Dimension::number, 1, "gbs|batch|batch_size|global_batch_size|globalbatchsize|global_bs|train_batch_size|global_train_batch_size|bs|batch_sequences|batch_size_global|total_batch_size|total_batch|effective_batch_size|global_batch_sequences|global_batch_seqs|global_batch_size_sequences|global_batch_size_seqs", true},
    {"accumulate", Dimension::number, 1, "gradient_accumulation|grad_accum|accumulation|gradient_accumulation_steps|gas|grad_accum_steps|num_microbatches|microbatches"},
    {"sequence", Dimension::number, 1, "seq|seq_len|sequence_length|seq_length|seqlen|max_seq_len|context_length|tokens_per_sample|s|max_seq_length|sl|ctx|ctx_len|max_sequence_length|block_size|context_len", true},
    {"layers", Dimension::number, 1, "n_layers|num_layers|l|layer|num_hidden_layers|n_layer|number_of_layers|num_of_layers|depth", true},
    {"hidden", Dimension::number, 1, "h|hidden_size|d_model|hidden_dim|model_dim|n_embd|hidden_dimension|dim|dmodel|embedding_dim|embed_dim", true},
    {"heads", Dimension::number, 1, "a|n_heads|num_heads|attention_heads|num_attention_heads|attn_heads|n_head", true},
    {"kv_heads", Dimension::number, 1, "n_kv_heads|num_kv_heads|num_key_value_heads|query_groups|num_query_groups|kv|gqa_groups"},
    {"head_dim", Dimension::number, 1, "d_head|head_size|kv_channels"},
    {"ffn", Dimension::number, 1, "ffn_size|ffn_hidden|ffn_hidden_size|intermediate_size|mlp_hidden|d_ff|ff|ffn_dim|mlp_dim|intermediate"},
    {"vocabulary", Dimension::number, 1, "vocab|vocab_size|v_size|padded_vocab_size|n_vocab|vocabulary_size", true},
    {"gated", Dimension::text, 1, "gated_mlp|swiglu|glu|gated_linear_unit"},
    {"experts", Dimension::number, 1, "n_experts|num_experts|moe_experts|num_moe_experts"},
    {"experts_per_token", Dimension::number, 1, "top_k|topk|experts_topk|active_experts|moe_router_topk|num_experts_per_tok"},
    {"expert_ffn", Dimension::number, 1, "moe_ffn|moe_ffn_size|moe_intermediate_size|expert_hidden|moe_ffn_hidden_size"},
    {"parameters", Dimension::number, 1e9, "params_b|parameters_b|params|n_params_b|model_params_b|params_billion|size_b|parameters_billion"},
    {"recompute", Dimension::text, 1,
     "recomputation|activation_checkpointing|act_ckpt|activation_recompute|ac|ac_mode|checkpoint_activations|activation_checkpoint|recompute_granularity|"
     "actckpt|activation_recomputation|act_checkpointing|gradient_checkpointing|grad_checkpointing|checkpointing"},
    {"zero", Dimension::text, 1, "zero_stage|sharding|fsdp|sharding_strategy|shard|zero_level|fsdp_sharding|distributed_optimizer|dp_type|shardingstrategy|shardstrategy|shard_strategy|zero_optimization|deepspeed_stage"},
    {"sequence_parallel", Dimension::text, 1, "sp|seq_parallel|sequence_parallelism"},
    {"offload", Dimension::text, 1, "cpu_offload|optimizer_offload|offloading"},
    {"model", Dimension::text, 1,
     "model_name|network_model|workload|benchmark|arch|architecture|task|model_id|model_path|hf_model|checkpoint|network"},
    {"peak_memory", Dimension::bytes, 1024.0 * 1024 * 1024,
     "peak_mem|peak_mem_gib|peak_memory_gib|max_memory|max_mem|memory_gib|peak_mem_per_gpu|peak_gpu_mem|max_mem_gib|memory_per_gpu|memory|mem|"
     "memory_used|used_memory"},
    {"schedule", Dimension::text, 1, "pipeline_schedule|pp_schedule|techniques|technique|parallelism|compile|features|options|method|scheme|variant|optimizations|mode"},
};

std::string lower(std::string_view text) {
    std::string out;
    for (const char c : text)
        out += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    return out;
}

bool has(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }
bool hasAny(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view w) { return has(text, w); });
}

/// What a row says of its software, most specific first.
std::string softwareWords(const Row& row) {
    std::string words;
    for (const char* key : {"software", "family", "version", "schedule", "notes", "id", "source"})
        words += lower(row.text(key)) + ' ';
    return words;
}

/// Runs of the Llama 3 paper: its own stack, and operations of the causal half of the scores.
bool ofLlama3(const Row& row) {
    return hasAny(lower(row.text("family")) + ' ' + lower(row.text("software")), {"llama3", "llama_3", "llama 3"});
}

/// Shapes of the scaling runs before BLOOM (BigScience chronicles), by billions of parameters: some tables carry other dimensions than
/// those of the model they name.
struct NamedShape {
    double billions;
    int layers, hidden;
};
constexpr NamedShape scalingRuns[] = {{176, 70, 14336}, {178, 82, 13312}, {181, 72, 14336}, {184, 100, 12288}, {195, 84, 13824}};

/// Billions of parameters that a name such as "GPT 181B" states; 0: none.
double billionsInName(std::string_view name) {
    for (const std::string& word : nameWords(name))
        if (word.size() >= 3 && word.size() <= 5 && word.back() == 'b')
            if (const auto value = parseCellNumber(std::string_view(word).substr(0, word.size() - 1)))
                return *value;
    return 0;
}

void correctShape(const Row& row, NeuralModel& model) {
    const double billions = billionsInName(row.text("model"));
    if (billions < 100 || model.gatedMlp)
        return;
    const double stated = (12.0 * model.layers * model.hidden * model.hidden + static_cast<double>(model.vocabulary) * model.hidden) / 1e9;
    for (const NamedShape& shape : scalingRuns)
        if (shape.billions == billions && std::abs(stated / billions - 1) > .02) {
            model.layers = shape.layers;
            model.hidden = shape.hidden;
            model.ffn = 4 * shape.hidden;
            model.headDim = 0;
        }
}

} // namespace

std::span<const Field> trainingFields() { return fields; }

OperationCount operationCount(const Row& row) {
    OperationCount count;
    count.adapters = trainsAdapters(row);
    const std::string said = lower(row.text("convention"));
    const std::string words = softwareWords(row);
    const bool negated = hasAny(said, {"without recomp", "no recomp", "excl", "not counted", "model only", "model_only", "w/o", "without_recomp", "no_recomp", "model flops", "model_flops"});
    if (!said.empty()) {
        const bool again = hasAny(said, {"recomp", "hardware", "96", "hfu", "hw", "incl"});
        count.recomputed = again && !negated;
        count.scoresAgain = count.recomputed && has(said, "selective");
        if (hasAny(said, {"causal", "half"}) && !hasAny(said, {"non-causal", "noncausal", "no causal", "full attention", "not halved"}))
            count.attention = .5;
        if (hasAny(said, {"6n only", "6nd", "no attention", "6n_only", "without attention"}) || said == "6n")
            count.attention = 0;
        return count;
    }
    // Sources that say nothing: the tables of 2021 and 2022 count recomputation, the later ones the model only.
    count.recomputed = hasAny(words, {"sc21", "bloom", "bigscience", "mt-nlg", "mtnlg", "mt_nlg", "turing"});
    if (hasAny(words, {"bridge"}) || ofLlama3(row))
        count.attention = .5;
    return count;
}

bool trainsAdapters(const Row& row) { return hasAny(softwareWords(row) + lower(row.text("model")), {"lora", "adapter"}); }

namespace {

/// Year and month of a container release such as "26.04.01", as 2604.01; 0: none is named.
double releaseIn(std::string_view words) {
    for (std::size_t i = 0; i + 5 <= words.size(); ++i) {
        const auto digit = [&](std::size_t k) { return k < words.size() && words[k] >= '0' && words[k] <= '9'; };
        if (words[i] != '2' || !digit(i + 1) || words[i + 2] != '.' || !digit(i + 3) || !digit(i + 4) || digit(i + 5) || (i > 0 && digit(i - 1)))
            continue;
        const auto pair = [&](std::size_t k) { return 10 * (words[k] - '0') + (words[k + 1] - '0'); };
        double release = 100 * pair(i) + pair(i + 3);
        if (i + 8 <= words.size() && words[i + 5] == '.' && digit(i + 6) && digit(i + 7))
            release += .01 * pair(i + 6);
        return release;
    }
    return 0;
}

/// Kernels for experts and attention sinks changed between releases of Megatron-Bridge.
PartId bridgeStack(const Row& row, const std::string& words) {
    const double release = releaseIn(words);
    if (hasAny(words + lower(row.text("model")), {"tokendrop", "token drop", "token_drop"}))
        return PartId("stack_megatron_bridge_tokendrop");
    const bool slowMerge = release == 2602 && hasAny(lower(row.text("device")), {"h100", "h200"}); // 26.02.01 brought Hopper what the others had
    if (release == 0 || (release >= 2606 && release != 2606.01))
        return PartId("stack_megatron_bridge");
    return PartId(release == 2606.01 ? "stack_megatron_bridge_2606_01" : release >= 2600 && !slowMerge ? "stack_megatron_bridge_2602" : "stack_megatron_bridge_2511");
}

PartId torchtitanStack(const Row& row) {
    const std::string how = lower(row.text("schedule")) + " " + lower(row.text("notes")) + " " + lower(row.text("id"));
    if (hasAny(how, {"async"}) && !has(how, "vanilla"))
        return PartId("stack_torchtitan_async_tp");
    const std::string technique = lower(row.text("schedule"));
    const bool eager = hasAny(how, {"eager", "no compile"}) || technique == "fsdp" || technique == "fsdp2";
    const bool later = hasAny(lower(row.text("source")) + " " + lower(row.text("version")), {"2025", "2026"});
    return PartId(eager ? "stack_torchtitan_eager" : later ? "stack_torchtitan_2025" : "stack_torchtitan");
}

} // namespace

PartId stackOf(const Row& row) {
    const std::string software = lower(row.text("software")), words = softwareWords(row);
    const auto stack = [](const char* id) { return PartId(id); };
    const bool sequence = hasAny(words, {"seqpar", "seq_par", "sequence parallel", "sequence_parallel", "korthikanti", "reducing activation"});
    if (has(words, "megascale"))
        return stack(has(software, "megatron") && !has(software, "megascale") ? "stack_megatron_2023" : "stack_megascale");
    if (hasAny(words, {"zero-3", "zero3", "zero_3", "t2_zero", "table2_zero"}) && hasAny(words, {"sc21", "megatron", "deepspeed"}))
        return stack("stack_deepspeed_zero3_2021");
    if (hasAny(words, {"bloom", "bigscience", "jean", "jeanzay"}))
        return stack("stack_megatron_deepspeed_opa");
    const bool core = hasAny(words, {"mcore", "megatron-core", "megatron_core", "megatron core"});
    if (core && !has(words, "bridge") && releaseIn(words) == 0)
        return stack("stack_megatron_core_2024");
    if (core || hasAny(words, {"bridge", "nemo"}))
        return bridgeStack(row, words);
    if (hasAny(words, {"mosaic", "llm-foundry", "llmfoundry", "llm_foundry", "composer", "mpt"}))
        return stack("stack_llm_foundry");
    if (has(words, "torchtitan"))
        return torchtitanStack(row);
    if (hasAny(words, {"vtrain", "deepspeed", "mt-nlg", "mtnlg", "mt_nlg", "turing-nlg"}))
        return stack(row.number("gpus", 0) <= 8 && row.number("nodes", 1) <= 1 ? "stack_megatron_deepspeed_node" : "stack_megatron_deepspeed");
    if (sequence || (hasAny(words, {"sc21", "megatron", "ptd"}) && row.flag("sequence_parallel").value_or(false)))
        return stack("stack_megatron_2022");
    if (hasAny(words, {"sc21", "megatron", "ptd"}))
        return stack("stack_megatron_2021");
    if (ofLlama3(row))
        return stack("stack_llama3_2024");
    return {};
}

std::optional<NeuralModel> modelOf(const Row& row, const Catalog& catalog, std::string& why) {
    std::string name(row.text("model"));
    const NeuralModel* known = name.empty() ? nullptr : findModel(catalog, name);
    const int layers = row.count("layers", 0), hidden = row.count("hidden", 0);
    if (known && hidden > 0 && known->hidden != hidden)
        known = nullptr; // the name stands for something else
    if (!known && (layers == 0 || hidden == 0)) {
        why = name.empty() ? "neither a model nor its layers and hidden size are given"
                           : "no model of the catalog is called \"" + name.substr(0, 60) + "\", and the row has no layers and hidden size";
        return std::nullopt;
    }
    NeuralModel model = known ? *known : NeuralModel{};
    if (!known) {
        model.name = name.empty() ? "model of the row" : name;
        model.kind = "transformer";
        model.heads = hidden / 128;
        model.ffn = 4 * hidden;
        model.vocabulary = 51200;
        model.tiedEmbeddings = true;
        model.headDim = 0;
    }
    const auto set = [&](int& dimension, const char* key) { dimension = row.count(key, dimension); };
    set(model.layers, "layers");
    set(model.hidden, "hidden");
    if (const int heads = row.count("heads", 0); heads > 0 && heads != model.heads) {
        model.heads = heads;
        model.headDim = 0;
        model.kvHeads = 0;
    }
    set(model.kvHeads, "kv_heads");
    set(model.headDim, "head_dim");
    set(model.ffn, "ffn");
    set(model.vocabulary, "vocabulary");
    set(model.experts, "experts");
    set(model.expertsPerToken, "experts_per_token");
    set(model.moeFfn, "expert_ffn");
    if (model.kvHeads == 0)
        model.kvHeads = model.heads;
    if (const auto gated = row.flag("gated"))
        model.gatedMlp = *gated;
    else if (!known && row.has("ffn") && model.ffn != 4 * model.hidden)
        model.gatedMlp = model.ffn < 4 * model.hidden;
    if (hasAny(lower(name), {"w/o mtp", "without mtp", "no mtp"}))
        model.predictionModules = 0;
    if (known && model.stateLayers == 0)
        model.attentionLayers = model.fullAttentionLayers == known->attentionLayers ? model.layers : model.attentionLayers;
    if (!known) {
        correctShape(row, model);
        if (model.moeFfn > 0 || model.experts > 0)
            model.kind = "moe_transformer";
        model.attentionLayers = model.fullAttentionLayers = model.layers;
    }
    model.id = PartId("row_model");
    return model;
}

namespace {

bool stackIs(const PartId& stack, std::string_view word) { return has(stack.value, word); }

/// Megatron-Core and what is built on it: a table that does not state a setting means the default, not whatever was fastest.
bool leavesOutDefaults(const PartId& stack) { return stackIs(stack, "bridge") || stackIs(stack, "megatron_core"); }

/// Recomputation as stated, else as that stack was run; automatic where neither says.
Recompute recomputeOf(const Row& row, const PartId& stack, std::string& note) {
    const std::string said = lower(row.text("recompute"));
    if (!said.empty()) {
        if (hasAny(said, {"selective", "attn", "attention", "op", "sac"}))
            return Recompute::selective;
        if (hasAny(said, {"none", "no", "false", "off"}) || said == "0")
            return Recompute::none;
        return Recompute::full;
    }
    if (hasAny(lower(row.text("convention")), {"selective"}))
        return Recompute::selective;
    if (operationCount(row).recomputed || stackIs(stack, "megatron_2021") || stackIs(stack, "deepspeed")) {
        note += "; recomputation full, as the stack was run";
        return Recompute::full;
    }
    if (stackIs(stack, "megatron_2022") || stackIs(stack, "megatron_2023") || stackIs(stack, "megascale")) {
        note += "; recomputation selective, as the stack was run";
        return Recompute::selective;
    }
    if (leavesOutDefaults(stack)) {
        note += "; no recomputation stated, none taken";
        return Recompute::none;
    }
    return Recompute::automatic;
}

int zeroOf(const Row& row, const PartId& stack) {
    const std::string words = softwareWords(row);
    std::string said = lower(row.text("zero"));
    if (const auto number = parseCellNumber(said)) {
        const bool switchOnly = normalisedColumn(row.columnName("zero")).find("fsdp") != std::string::npos;
        if (switchOnly) // 1, or the size of the sharding group
            return *number > 0 ? 3 : -1;
        said = std::to_string(static_cast<int>(*number));
    }
    if (hasAny(said, {"full_shard", "fsdp", "hsdp", "zero-3", "zero3", "full shard"}) || said == "3")
        return 3;
    if (hasAny(said, {"grad_op", "zero-2", "zero2"}) || said == "2")
        return 2;
    if (said == "1" || hasAny(said, {"zero-1", "zero1", "dist", "true", "yes", "opt"}))
        return 1;
    if (said == "0" || hasAny(said, {"ddp", "none", "no", "false"}))
        return 0;
    if (stackIs(stack, "zero3") || stackIs(stack, "foundry") || stackIs(stack, "torchtitan") || hasAny(words, {"fsdp"}))
        return 3;
    return -1;
}

/// True when rows of the same family state the field: then an empty cell means "not used", not "not said".
bool familyStates(const Row& row, const char* key) {
    const std::string family = row.family();
    const std::span<const Field> spans[] = {commonFields(), trainingFields()};
    const Columns columns(row.table().header, spans);
    for (const CsvRecord& record : row.table().records) {
        const Row other(row.table(), columns, record);
        if (other.family() == family && other.count(key, 0) > 1)
            return true;
    }
    return false;
}

/// Dense models that fit no device without a pipeline are fully sharded (Megatron-Bridge, 70B and 405B).
bool largeWithoutPipeline(const NeuralModel& model, const Parallelism& p) {
    const double parameters = 12.0 * model.layers * model.hidden * model.hidden;
    return model.experts == 0 && p.pipeline == 1 && p.tensor <= 2 && parameters > 50e9;
}

/// With a pipeline torchtitan's column holds the batch of a replica; its micro-batches are single sequences.
void torchtitanSchedule(const Row& row, Placement& placement, std::string& note) {
    placement.microBatch = 1;
    const std::string how = lower(row.text("schedule")) + lower(row.text("notes")) + lower(row.text("id"));
    placement.interleave = hasAny(how, {"interleav", "-int"}) ? 2 : 1;
    note += "; pipeline micro-batch 1";
}

} // namespace

Placement placementOf(const Row& row, const PartId& stack, const NeuralModel& model, std::string& note) {
    Placement placement;
    placement.id = PlacementId("row");
    placement.workload = WorkloadId("row");
    placement.nodes = {NodeId("devices")};
    placement.stack = stack;
    const bool transformer = model.hidden > 0 && model.kind != "cnn";
    const auto size = [&](const char* key) {
        const int given = row.count(key, 0);
        if (given > 0 || !transformer)
            return given;
        return familyStates(row, key) ? 1 : 0;
    };
    Parallelism& p = placement.parallelism;
    p.tensor = size("tp");
    p.pipeline = size("pp");
    p.context = size("cp");
    p.expert = model.experts > 0 ? size("ep") : 1;
    const bool anyGiven = p.tensor > 0 || p.pipeline > 0;
    if (anyGiven) { // a row with a plan states the sizes that are not 1
        p.tensor = std::max(p.tensor, 1);
        p.pipeline = std::max(p.pipeline, 1);
        p.context = std::max(p.context, 1);
        if (model.experts > 0)
            p.expert = std::max(p.expert, 1);
    }
    placement.zeroStage = zeroOf(row, stack);
    if (leavesOutDefaults(stack) && placement.zeroStage < 0)
        placement.zeroStage = largeWithoutPipeline(model, p) ? 3 : 1;
    if (placement.zeroStage == 3 && !anyGiven)
        p.tensor = p.pipeline = p.context = 1;
    placement.microBatch = row.count("micro_batch", 0);
    placement.interleave = p.pipeline > 1 ? size("vpp") : 1;
    if (leavesOutDefaults(stack) && placement.interleave == 0)
        placement.interleave = 1;
    if (stackIs(stack, "torchtitan") && p.pipeline > 1)
        torchtitanSchedule(row, placement, note);
    placement.recompute = recomputeOf(row, stack, note);
    placement.offload = row.flag("offload").value_or(false);
    placement.inNetworkReduction = false; // a plug-in that published runs do not mention
    if (const auto precision = row.precision())
        placement.precision = precision;
    return placement;
}

} // namespace cw
