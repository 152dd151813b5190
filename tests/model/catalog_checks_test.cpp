// SPDX-License-Identifier: GPL-3.0-or-later
//
// The shipped catalog passes all checks; and each check fires on a copy of a shipped part with one number changed.
#include "model/catalog/catalog.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>

using namespace cw;

namespace {

/// The shipped catalog with fields of one part replaced by those of `patch`, as if it had been shipped so.
std::optional<Catalog> shippedWith(const QString& id, const QByteArray& patch) {
    const Part* part = shippedCatalog().findPart(PartId(id.toStdString()));
    if (!part)
        return {};
    QJsonObject entry = QJsonDocument::fromJson(QByteArray::fromStdString(info(*part).json)).object();
    const QJsonObject change = QJsonDocument::fromJson(patch).object();
    for (auto field = change.begin(); field != change.end(); ++field) {
        if (field.key() == "values") {
            QJsonObject values = entry["values"].toObject();
            const QJsonObject changedValues = field.value().toObject();
            for (auto value = changedValues.begin(); value != changedValues.end(); ++value)
                values[value.key()] = value.value();
            entry["values"] = values;
        } else {
            entry[field.key()] = field.value();
        }
    }
    const auto broken = parsePart(kindName(*part), QJsonDocument(entry).toJson().toStdString(), "broken");
    if (!broken) {
        qWarning("%s", broken.error().front().text().c_str());
        return {};
    }
    return shippedCatalog().with({*broken}, CatalogLayer::shipped);
}

} // namespace

class CatalogChecksTest : public QObject {
    Q_OBJECT

private slots:
    void shippedCatalogPasses() {
        const auto errors = checkCatalog(shippedCatalog());
        for (const Error& error : errors)
            qWarning("%s", error.text().c_str());
        QVERIFY(errors.empty());
    }

    void checkFires_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QByteArray>("patch");
        QTest::addColumn<QString>("field");
        const auto row = [](const char* id, const char* patch, const char* field) {
            QTest::addRow("%s %s", id, patch) << QString(id) << QByteArray(patch) << QString(field);
        };
        commonRows(row);
        gpuRows(row);
        machineRows(row);
        networkRows(row);
        otherRows(row);
    }
    void checkFires() {
        QFETCH(QString, id);
        QFETCH(QByteArray, patch);
        QFETCH(QString, field);
        const auto catalog = shippedWith(id, patch);
        QVERIFY(catalog.has_value());
        const auto errors = checkCatalog(*catalog);
        const std::string where = (id + ": /" + field).toStdString();
        const auto fired = std::find_if(errors.begin(), errors.end(), [&](const Error& error) { return error.where == where; });
        QVERIFY2(fired != errors.end(), errors.empty() ? "no error" : errors.front().text().c_str());
        QVERIFY(fired->message.find(id.toStdString()) != std::string::npos); // reads well alone
    }

    // A change of one part shows in another one.
    void checkFiresElsewhere() {
        const auto expect = [](const char* id, const char* patch, const char* where) {
            const auto catalog = shippedWith(id, patch);
            QVERIFY(catalog.has_value());
            const auto errors = checkCatalog(*catalog);
            QVERIFY2(std::any_of(errors.begin(), errors.end(), [&](const Error& error) { return error.where == where; }), where);
        };
        expect("ib_hdr", R"({"raw_gb_s":50,"bidir_gb_s":100,"achievable_gb_s":48})", "ib_ndr: /raw_gb_s");
        expect("pcie4_x16", R"({"raw_gb_s":63,"bidir_gb_s":126,"achievable_gb_s":52})", "pcie5_x16: /raw_gb_s");
        expect("pcie4_x16", R"({"raw_gb_s":63,"bidir_gb_s":126,"achievable_gb_s":52})", "a10: /pcie_per_direction_gb_s");
        expect("h100_sxm", R"({"scale_up_per_direction_gb_s":400,"scale_up_bidir_gb_s":800})", "nvlink4: /raw_gb_s");
        expect("gb200", R"({"scale_up_per_direction_gb_s":450,"scale_up_bidir_gb_s":900})", "gb200_nvl72: /gpu_count");
        expect("h100_sxm", R"({"tdp_w":1400})", "dgx_h100: /power_max_w");
        expect("h100_sxm", R"({"idle_w":400})", "dgx_h100: /power_idle_w");
        expect("h100_sxm", R"({"price_usd_low":90000,"price_usd_high":90000})", "dgx_h100: /price_usd_high");
    }

    void usersNeedNotNameSources() {
        const auto own = parsePart(
            "gpu",
            R"({"id":"MyCard-1","bf16_tflops":100,"fp16_tflops":100,"memory_capacity_gb":48,"memory_bandwidth_gb_s":1000,"pcie_per_direction_gb_s":31.5})",
            "own");
        QVERIFY(own.has_value());
        QVERIFY(checkCatalog(shippedCatalog().with({*own}, CatalogLayer::user)).empty());
        QVERIFY(!checkCatalog(shippedCatalog().with({*own}, CatalogLayer::shipped)).empty());
    }

    void physicsAppliesToUsersParts() {
        const auto own = parsePart(
            "gpu",
            R"({"id":"mine","bf16_tflops":100,"fp8_tflops":400,"memory_capacity_gb":48,"memory_bandwidth_gb_s":1000,"pcie_per_direction_gb_s":31.5})",
            "own");
        const auto errors = checkCatalog(shippedCatalog().with({own.value()}, CatalogLayer::user));
        QCOMPARE(errors.size(), std::size_t(1));
        QCOMPARE(errors.front().where, std::string("mine: /fp8_tflops"));
        QVERIFY(!errors.front().expected.empty() && !errors.front().found.empty());
    }

private:
    template <class Row> static void commonRows(Row row) {
        row("h100_sxm", R"({"sources":[]})", "sources");
        row("h100_sxm", R"({"sources":[{"title":"a book"}]})", "sources");
        row("h100_sxm", R"({"sources":[{"title":"/etc/notes","section":"1"}]})", "sources");
        row("h100_sxm", R"({"sources":[{"title":"notes in C:\\notes","section":"1"}]})", "sources");
        row("h100_sxm", R"({"sources":[{"title":"a book","section":"1","recalled":true}]})", "confidence");
        row("h100_sxm", R"({"confidence":"user"})", "confidence");
        row("h100_sxm", R"({"recalled_fields":["colour"]})", "colour");
        row("h100_sxm", R"({"CamelCase_w":1})", "CamelCase_w");
        row("h100_sxm", R"({"double__score_w":1})", "double__score_w");
        row("h100_sxm", R"({"weight":1})", "weight");
        row("h100_sxm", R"({"offset_w":-1})", "offset_w");
        row("afr_optics", R"({"values":{"luck":1}})", "values/luck");
        row("afr_optics", R"({"subject":"nic"})", "subject");
    }
    template <class Row> static void gpuRows(Row row) {
        row("h100_sxm", R"({"flops_basis":"sparse"})", "flops_basis");
        row("h100_sxm", R"({"fp16_tflops":900})", "bf16_tflops");
        row("h100_sxm", R"({"bf16_tflops":1978.9,"fp16_tflops":1978.9,"fp8_tflops":3957.8,"int8_tops":3957.8,"tf32_tflops":989})",
            "bf16_tflops");
        row("mi355x", R"({"bf16_tflops":5033,"fp16_tflops":5033})", "bf16_tflops");
        row("h100_sxm", R"({"fp8_tflops":3957.8})", "fp8_tflops");
        row("h100_sxm", R"({"int8_tops":3957.8})", "int8_tops");
        row("h100_sxm", R"({"tf32_tflops":989})", "tf32_tflops");
        row("b200_sxm", R"({"fp4_tflops":18000})", "fp4_tflops");
        row("b300_sxm", R"({"fp4_tflops":9000})", "fp4_tflops");
        row("h100_sxm", R"({"fp64_tensor_tflops":10})", "fp64_tensor_tflops");
        row("h100_sxm", R"({"fp64_tflops":100})", "fp64_tflops");
        row("h100_sxm", R"({"scale_up_bidir_gb_s":450})", "scale_up_bidir_gb_s");
        row("l40s", R"({"scale_up_domain_gpus":8})", "scale_up_domain_gpus");
        row("h100_sxm", R"({"scale_up_links_count":9})", "scale_up_links_count");
        row("h100_sxm", R"({"tdp_w":7000})", "tdp_w");
        row("h100_sxm", R"({"idle_w":600})", "idle_w");
        row("h100_sxm", R"({"tdp_w":100})", "tdp_w");
        row("h100_sxm", R"({"memory_bandwidth_gb_s":335})", "memory_bandwidth_gb_s");
        row("h100_sxm", R"({"memory_capacity_gb":80000})", "memory_capacity_gb");
        row("h100_sxm", R"({"pcie_per_direction_gb_s":126})", "pcie_per_direction_gb_s");
    }
    template <class Row> static void machineRows(Row row) {
        row("epyc_9654", R"({"peak_fp64_gflops":9000})", "peak_fp64_gflops");
        row("epyc_9654", R"({"bf16_flops_per_cycle_core":null})", "peak_bf16_gflops");
        row("epyc_9654", R"({"fp32_flops_per_cycle_core":16})", "fp32_flops_per_cycle_core");
        row("epyc_9654", R"({"memory_bandwidth_gb_s":4608})", "memory_bandwidth_gb_s");
        row("epyc_9654", R"({"threads_count":100})", "threads_count");
        row("epyc_9654", R"({"boost_ghz":1})", "boost_ghz");
        row("epyc_9654", R"({"idle_w":200})", "idle_w");
        row("xeon_8380", R"({"server_2s_idle_w":5000})", "server_2s_idle_w");
        row("xeon_8380", R"({"server_2s_full_load_w":300})", "server_2s_full_load_w");
        row("epyc_9654", R"({"peak_fp64_gflops":25000})", "peak_fp64_gflops");

        row("dgx_h100", R"({"gpu_id":"h1000"})", "gpu_id");
        row("dgx_h100", R"({"cpu_id":"abacus"})", "cpu_id");
        row("dgx_h100", R"({"gpu_count":0})", "gpu_count");
        row("dgx_h100", R"({"power_max_w":5000})", "power_max_w");
        row("dell_r760_8480", R"({"power_max_w":5000})", "power_max_w");
        row("dgx_h100", R"({"power_idle_w":9000})", "power_idle_w");
        row("dgx_h100", R"({"power_typical_w":11000})", "power_typical_w");
        row("dgx_h100", R"({"power_idle_w":100})", "power_idle_w");
        row("dgx_h100", R"({"psu_needed_count":7})", "psu_needed_count");
        row("dgx_h100", R"({"psu_rating_w":2000})", "psu_rating_w");
        row("dgx_h100", R"({"psu_redundancy":"3+3"})", "psu_redundancy");
        row("dgx_h100", R"({"airflow_cfm":110})", "airflow_cfm");
        row("dgx_h100", R"({"cooling_type":"liquid_dlc"})", "liquid_heat_fraction");
        row("dgx_h100", R"({"weight_kg":1305})", "weight_kg");
        row("dgx_h100", R"({"u_height":1})", "power_max_w");
        row("dgx_h100", R"({"inlet_min_c":50})", "inlet_min_c");
        row("dgx_h100", R"({"price_usd_low":1000,"price_usd_high":2000})", "price_usd_high");
        row("dgx_h100", R"({"scale_up_topology":"all-to-all NVSwitch, 450 GB/s per GPU"})", "scale_up_topology");
        row("dgx_h100", R"({"nics":[{"count":4,"speed_gbit_s":400,"purpose":"compute"}]})", "nics");
        row("dgx_h100", R"({"nics":[{"count":8,"speed_gbit_s":4000,"purpose":"compute"}]})", "nics");
        row("dgx_h100", R"({"nics":[]})", "nics");

        row("aws_p5_48xl_2026", R"({"provider":"seed"})", "origin");
        row("aws_p5_48xl_2026", R"({"gpu_id":"h1000"})", "gpu_id");
        row("aws_c7i_48xl", R"({"cpu_id":"abacus"})", "cpu_id");
        row("aws_p5_48xl_2026", R"({"reserved_1y_usd_per_hour":1})", "reserved_1y_usd_per_hour");
        row("aws_p5_48xl_2026", R"({"reserved_1y_usd_per_hour":30,"reserved_3y_usd_per_hour":40})", "reserved_3y_usd_per_hour");
        row("aws_p5_48xl_2026", R"({"spot_low_usd_per_hour":500,"spot_high_usd_per_hour":500})", "spot_low_usd_per_hour");
        row("aws_p5_48xl_2026", R"({"usd_per_gpu_hour":1})", "usd_per_gpu_hour");
        row("aws_p5_48xl_2026", R"({"on_demand_usd_per_hour":550})", "on_demand_usd_per_hour");
        row("aws_c7i_48xl", R"({"on_demand_usd_per_hour":85})", "on_demand_usd_per_hour");
        row("market_h100_hyperscaler_band", R"({"on_demand_low_usd_per_hour":90,"on_demand_high_usd_per_hour":91})",
            "on_demand_usd_per_hour");
    }
    template <class Row> static void networkRows(Row row) {
        row("qm9700", R"({"ports":[{"count":63,"speed_gbit_s":400}]})", "capacity_tbit_s");
        row("qm9700", R"({"ports":[{"count":128,"speed_gbit_s":200}]})", "ports");
        row("qm8700", R"({"ports":[{"count":40,"speed_gbit_s":400}]})", "ports");
        row("q3400", R"({"ports":[{"count":144,"speed_gbit_s":400}]})", "ports");
        row("qm9700", R"({"vendor_throughput_counts_both_directions":false})", "vendor_throughput_tbit_s");
        row("qm9700", R"({"radix_count":32})", "radix_count");
        row("qm9700", R"({"max_radix_breakout_count":32})", "max_radix_breakout_count");
        row("qm9700", R"({"power_typical_w":2000})", "power_typical_w");
        row("qm9700", R"({"power_max_w":20000})", "power_max_w");
        row("qm9700", R"({"psu_rating_w":500})", "psu_rating_w");
        row("sn5600", R"({"latency_ns":20})", "latency_ns");
        row("qm9700", R"({"latency_ns":600})", "latency_ns");
        row("nvlink5_tray", R"({"ports":[{"count":72,"speed_gbit_s":400}],"capacity_tbit_s":28.8,"radix_count":72})",
            "capacity_tbit_s");

        row("ib_ndr", R"({"bidir_gb_s":50})", "bidir_gb_s");
        row("ib_ndr", R"({"achievable_gb_s":60})", "achievable_gb_s");
        row("ib_ndr", R"({"efficiency_fraction":0.5})", "efficiency_fraction");
        row("ib_ndr", R"({"latency_port_us":50})", "latency_port_us");
        row("eth_400g", R"({"raw_gb_s":400,"bidir_gb_s":800})", "raw_gb_s");
        row("eth_400g",
            R"({"cables":[{"type":"optic","max_length_m":10,"power_per_end_w":90,"price_usd_low":1,"price_usd_high":2}]})",
            "cables");
        row("eth_400g",
            R"({"cables":[{"type":"DAC","max_length_m":30,"power_per_end_w":0.1,"price_usd_low":1,"price_usd_high":2}]})",
            "cables");
        row("ib_xdr", R"({"raw_gb_s":75})", "raw_gb_s");
        row("nvlink5", R"({"raw_gb_s":600})", "raw_gb_s");
        row("proto_tcp_kernel", R"({"efficiency_fraction":0})", "efficiency_fraction");
    }
    template <class Row> static void otherRows(Row row) {
        row("llama3_70b", R"({"params_active_b":80})", "params_active_b");
        row("llama3_70b", R"({"kv_heads_count":7})", "kv_heads_count");
        row("llama3_70b", R"({"hidden_size":4096})", "params_total_b");
        row("llama3_70b", R"({"layers_count":70})", "dense_layers_count");
        row("bert_base", R"({"layers_count":24,"dense_layers_count":24})", "params_total_b");
        row("deepseek_v3", R"({"kv_lora_rank":51200})", "params_total_b");
        row("mixtral_8x7b", R"({"experts_per_token_count":9})", "experts_per_token_count");
        row("mixtral_8x7b", R"({"experts_per_token_count":1})", "params_active_b");
        row("qwen3_5_397b_a17b", R"({"attention_layers_count":100})", "attention_layers_count");
        row("gpt_oss_20b", R"({"full_attention_layers_count":100})", "full_attention_layers_count");
        row("nemotron3_super_120b", R"({"moe_latent_size":0})", "params_total_b");

        row("pdu_415_60_3", R"({"usable_kw":43})", "usable_kw");
        row("pdu_ap8868", R"({"usable_kw":14.4})", "usable_kw");
        row("cooling_dlc_full", R"({"rack_limit_max_kw":50})", "rack_limit_typical_kw");
        row("cooling_dlc_full", R"({"pue_low":1.5})", "pue_low");
        row("rack_42u", R"({"dynamic_load_kg":5000})", "dynamic_load_kg");
        row("region_fra", R"({"carbon_intensity_g_per_kwh":56000})", "carbon_intensity_g_per_kwh");
        row("region_fra", R"({"electricity_usd_per_kwh":12})", "electricity_usd_per_kwh");
        row("ashrae_a1", R"({"values":{"recommended_max_c":40}})", "values/allowable_max_c");
        row("psu_titanium", R"({"values":{"efficiency_at_50pct":0.9}})", "values/efficiency_at_50pct");
        row("ups_eco", R"({"values":{"efficiency_fraction":{"low":0.5,"high":0.99}}})", "values/efficiency_fraction");
        row("pue_gcp", R"({"values":{"pue":0.9}})", "values/pue");
        row("afr_nic", R"({"values":{"afr_fraction":0.1}})", "values/afr_fraction");
        row("afr_switch", R"({"values":{"afr_fraction":2}})", "values/afr_fraction");
        row("colo_dallas_2026", R"({"values":{"usd_per_kw_month":5}})", "values/usd_per_kw_month");
        row("air_rule", R"({"values":{"cfm_per_kw_at_20f":100}})", "values/cfm_per_kw_at_20f");
        row("air_rule", R"({"values":{"example_cfm":1900}})", "values/example_cfm");
        row("water_rule", R"({"values":{"l_min_per_kw_at_10k_water":14.4}})", "values/l_min_per_kw_at_10k_water");
    }
};

QTEST_GUILESS_MAIN(CatalogChecksTest)
#include "catalog_checks_test.moc"
