// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimators/validation/names.h"
#include "estimators/validation/row_cluster.h"
#include "estimators/validation/validation.h"
#include "tests/estimators/training_scene.h"

#include <QTest>

#include <algorithm>

using namespace cw;
using cw::test::near;

namespace {

CsvTable table(std::string_view text, std::string_view file = "training.csv") {
    auto parsed = parseCsv(text, file);
    return parsed ? *parsed : CsvTable{};
}

ValidationReport validated(std::string_view text, std::string_view file = "training.csv") {
    ValidationReport report;
    const auto added = addValidation(report, table(text, file), shippedCatalog());
    if (!added)
        qWarning("%s", added.error().text().c_str());
    addStatistics(report);
    return report;
}

constexpr std::string_view header = "id,family,model,gpu,n_gpus,nic_gbps,tp,pp,seq,gbs,vpp,micro_batch,iter_time_s,tflops_per_gpu\n";

} // namespace

class ValidationTest : public QObject {
    Q_OBJECT

private slots:
    void csvKeepsQuotesAndBreaks() {
        const CsvTable t = table("a,b\r\n\"x, \"\"y\"\"\",2\r\n\n# remark, with a comma\n\"two\nlines\",3\n");
        QCOMPARE(t.records.size(), std::size_t(2));
        QCOMPARE(t.records[0].fields[0], std::string("x, \"y\""));
        QCOMPARE(t.records[1].fields[0], std::string("two\nlines"));
        QCOMPARE(t.records[1].line, 5);
        QCOMPARE(csvQuoted("x, \"y\""), std::string("\"x, \"\"y\"\"\""));
    }

    void csvWithOtherSeparators() {
        const CsvTable semicolons = table("# remark, with commas\na;b\n\"x;y\";2,5\n"), tabs = table("a\tb\n1\t2;3\n");
        QCOMPARE(semicolons.header.size(), std::size_t(2));
        QCOMPARE(semicolons.records.at(0).fields.at(0), std::string("x;y"));
        QCOMPARE(semicolons.records.at(0).fields.at(1), std::string("2,5"));
        QCOMPARE(tabs.records.at(0).fields.at(1), std::string("2;3"));
    }

    /// A figure is the same under a name that says how it came about; one that another model predicted is not it.
    void decoratedNames() {
        const ValidationReport plain = validated(std::string(header) + "a,f,GPT-3 175B,A100-80GB,384,200,8,12,2048,1536,1,1,,153\n");
        std::string renamed(header);
        renamed.replace(renamed.find("tflops_per_gpu"), 14, "Measured TFLOP/s/GPU");
        const ValidationReport decorated = validated(renamed + "a,f,GPT-3 175B,A100-80GB,384,200,8,12,2048,1536,1,1,,153\n");
        QCOMPARE(plain.rows.size(), std::size_t(1));
        QCOMPARE(decorated.rows.size(), std::size_t(1));
        QVERIFY(plain.rows[0].prediction.known());
        QCOMPARE(decorated.rows[0].prediction.predicted, plain.rows[0].prediction.predicted);
        renamed.replace(renamed.find("Measured"), 8, "Calculon");
        const ValidationReport foreign = validated(renamed + "a,f,GPT-3 175B,A100-80GB,384,200,8,12,2048,1536,1,1,,153\n");
        QVERIFY(!foreign.rows.at(0).prediction.known());
    }

    void csvFaultsStayInTheirRecord_data() {
        QTest::addColumn<QByteArray>("record");
        QTest::addColumn<QString>("fault");
        QTest::newRow("too few") << QByteArray("1") << "line 2: 1 fields, the header has 2";
        QTest::newRow("too many") << QByteArray("1,2,3") << "line 2: 3 fields, the header has 2";
        QTest::newRow("quote inside") << QByteArray("1\"2,3") << "line 2: a quote inside of a field that is not quoted";
        QTest::newRow("text after quote") << QByteArray("\"1\"2,3") << "line 2: text after the closing quote of a field";
    }
    void csvFaultsStayInTheirRecord() {
        QFETCH(QByteArray, record);
        QFETCH(QString, fault);
        const CsvTable t = table(("a,b\n" + record + "\n7,8\n").toStdString());
        QCOMPARE(t.records.size(), std::size_t(2));
        QCOMPARE(QString::fromStdString(t.records[0].fault), fault);
        QVERIFY(t.records[1].fault.empty());
        QVERIFY(!parseCsv("", "x.csv") && !parseCsv("one column\n", "x.csv"));
        QVERIFY(table("a,b\n\"open,1\n").records.front().fault.find("not closed") != std::string::npos);
    }

    /// A unit in a column's name converts; the same field under other names is the same number.
    void columnsUnderOtherNames_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("cell");
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<double>("value");
        const auto row = [](const char* name, const char* cell, const char* key, double value) {
            QTest::newRow(name) << QByteArray(name) << QByteArray(cell) << QByteArray(key) << value;
        };
        row("iter_time_s", "2.5", "step_time", 2.5);
        row("Iteration time (ms)", "2500", "step_time", 2.5);
        row("step_time_us", "2500000", "step_time", 2.5);
        row("peak_mem_gib", "2", "peak_memory", 2147483648.0);
        row("peak_mem_gb", "2", "peak_memory", 2e9);
        row("NIC_Gbps", "400", "nic_rate", 50e9);
        row("nic_gb_s", "50", "nic_rate", 50e9);
        row("mfu_pct", "41", "mfu", .41);
        row("MFU", "41%", "mfu", .41);
        row("TFLOPs/GPU", "150", "operations_rate", 150e12);
        row("world_size", "\"1,024\"", "gpus", 1024);
        row("Seq Length", "4k", "sequence", 4096);
        for (const char* name : {"# of GPUs", "No. of GPUs", "nGPU", "#gpu", "#GPUs", "num gpus"})
            row(name, "64", "gpus", 64);
        for (const char* name : {"Number of layers", "depth", "# layers"})
            row(name, "96", "layers", 96);
        for (const char* name : {"VP size", "virtual_pipeline_model_parallel_size", "num_model_chunks"})
            row(name, "6", "vpp", 6);
        for (const char* name : {"LBS", "per_device_batch", "per_gpu_batch_size", "device_batch_size", "Batch size/GPU", "MBS per GPU"})
            row(name, "2", "micro_batch", 2);
        for (const char* name : {"NIC Gb/s per GPU", "Network (Gb/s per GPU)", "ib_gbps_per_gpu", "inter_node_bw_gbps_per_gpu"})
            row(name, "200", "nic_rate_per_gpu", 25e9);
        row("NIC (GB/s)", "25", "nic_rate", 25e9);
        for (const char* name : {"sec/step", "s/iter", "seconds per step", "step_duration_s", "Time/iter (s)"})
            row(name, "2.5", "step_time", 2.5);
        row("iter_ms", "2500", "step_time", 2.5);
        for (const char* name : {"Achieved teraFLOP/s per GPU", "teraFLOP/s per GPU", "Achieved TFLOP/s/GPU", "TFLOP/s"})
            row(name, "150", "operations_rate", 150e12);
        row("MFU (%)", "41", "mfu", .41);
        row("aggregate PFLOP/s", "15", "total_rate", 15e15);
        row("Memory (GB)", "2", "peak_memory", 2e9);
        for (const char* name : {"Throughput (tokens/s/GPU)", "Throughput (T/s/GPU)", "Token/Sec/GPU", "tokens/second/gpu", "toks/s/gpu", "tokens_per_gpu_per_sec"})
            row(name, "400", "tokens_rate_per_gpu", 400);
    }
    void columnsUnderOtherNames() {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, cell);
        QFETCH(QByteArray, key);
        QFETCH(double, value);
        const CsvTable t = table(("note," + name + "\n," + cell + "\n").toStdString());
        const auto kinds = fileKinds();
        const FileKind* training = *std::find_if(kinds.begin(), kinds.end(), [](const FileKind* kind) { return kind->name == "training"; });
        const std::span<const Field> spans[] = {commonFields(), training->fields};
        const Columns columns(t.header, spans);
        const Row r(t, columns, t.records.front());
        QVERIFY(r.number(key.toStdString()));
        QVERIFY2(near(*r.number(key.toStdString()), value), qPrintable(QString::number(*r.number(key.toStdString()))));
    }

    void cellsThatAreNoNumbers() {
        for (const char* text : {"", "abc", "1,5", "1,2345", "12 GB x", "--3", "inf", "nan"})
            QVERIFY2(!parseCellNumber(text), text);
        QCOMPARE(parseCellNumber("1,234,567.5"), std::optional(1234567.5));
    }

    void partsByPublishedNames_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("id");
        const auto row = [](const char* text, const char* id) { QTest::newRow(text) << QByteArray(text) << QByteArray(id); };
        row("8xH100-SXM-80GB", "h100_sxm");
        row("NVIDIA H100", "h100_sxm");
        row("H100 PCIe", "h100_pcie");
        row("A100-40GB", "a100_40gb_sxm");
        row("a100_80gb", "a100_80gb_sxm");
        row("DGX-GB200", "gb200");
        row("GB300 NVL72", "gb300");
        row("B200", "b200_sxm");
        row("NVIDIA H200-SXM-141GB", "h200_sxm");
        row("AMD Instinct MI300X 192GB HBM3", "mi300x");
        row("V100", "v100_sxm2_32gb");
        row("RTX PRO 6000 Blackwell Server", "rtx_pro_6000_server");
        row("p4d.24xlarge", "a100_40gb_sxm");
        row("aws p5", "h100_sxm");
        row("p5en.48xlarge", "h200_sxm");
        row("a3-megagpu-8g", "h100_sxm");
        row("a2-ultragpu-8g", "a100_80gb_sxm");
        row("Llama 3.1 405B", "llama3_405b");
        row("llama31_405b", "llama3_405b");
        row("LLAMA2_70B_LoRA", "llama2_70b");
        row("GPT-3 175B", "gpt3_175b");
        row("DeepSeek-V3", "deepseek_v3");
        row("Qwen3-30B-A3B", "qwen3_30b_a3b");
        row("Qwen2.5 72B", "qwen2_5_72b");
        row("Mixtral 8x7B", "mixtral_8x7b");
        row("GPT OSS 120B", "gpt_oss_120b");
    }
    void partsByPublishedNames() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, id);
        const Gpu* gpu = findGpu(shippedCatalog(), text.toStdString());
        const NeuralModel* model = findModel(shippedCatalog(), text.toStdString());
        const std::string found = gpu ? gpu->id.value : model ? model->id.value : "";
        QCOMPARE(found, id.toStdString());
    }

    void statistics() {
        const double errors[] = {4, 1, 3, 2};
        const FamilyStatistics s = statisticsOf(errors);
        QCOMPARE(s.predicted, 4);
        QVERIFY(near(s.median, 2.5) && near(s.mean, 2.5) && near(s.p90, 3.7) && near(s.max, 4));
        QVERIFY(statisticsOf({}).mean != statisticsOf({}).mean);
    }

    /// The estimate of a row is the estimate of the same cluster and plan drawn by hand.
    void rowIsTheDrawnCluster() {
        const ValidationReport report =
            validated(std::string(header) + "r,sc21,GPT 145.6B,A100-80GB,1536,200,8,8,2048,2304,2,1,10,140\n");
        QCOMPARE(report.rows.size(), std::size_t(0 + 2));
        QVERIFY(!report.rows[0].prediction.known()); // no model of that name and no dimensions
        const ValidationReport named =
            validated(std::string(header) + "r,sc21,megatron_145_6b,A100-80GB,1536,200,8,8,2048,2304,2,1,10,140\n");
        test::TrainingScene scene;
        scene.pod("dgx_a100_640", 192, "ib_hdr", "qm9700");
        scene.train("megatron_145_6b", 2048, 2304);
        Placement& placement = scene.placement();
        placement.stack = PartId("stack_megatron_2021");
        placement.parallelism = {8, 8, 0, 1, 1};
        placement.microBatch = 1;
        placement.interleave = 2;
        placement.recompute = Recompute::full;
        placement.inNetworkReduction = false; // no published run says that its switches sum
        QVERIFY(near(named.rows[0].prediction.predicted, test::stepOf(scene.estimate()), 1e-6));
        const double relation = named.rows[0].prediction.predicted * named.rows[1].prediction.predicted;
        const double operations = 96.0 * 2304 * 2048 * 80 * 12288.0 * 12288 * (1 + 2048 / (6 * 12288.0) + 51200 / (16 * 80 * 12288.0));
        QVERIFY(near(relation, operations / 1536 / 1e12, 1e-3));
    }

    /// A network in words is the same as its rate in numbers.
    void networksInWords() {
        constexpr std::string_view columns = "id,op,gpu,n_gpus,gpus_per_node,network,nics_per_node,size_bytes,time_us\n";
        const auto time = [&](const char* network) {
            return validated(std::string(columns) + "a,all_to_all,H100,16,8," + network + ",1073741824,5000\n", "collectives.csv").rows.front().prediction.predicted;
        };
        QVERIFY(near(time("400,8"), time("8x400G,")) && near(time("400,8"), time("NDR,")) && near(time("400G Ethernet,"), time("8x400 GbE,")));
        QVERIFY(time("200,8") > 1.8 * time("400,8"));
    }

    /// Bad rows are listed with the reason and stop nothing.
    void badRowsAreListed() {
        const ValidationReport report = validated(std::string(header) + "a,f,gpt3_175b,A100,64,200,8,8,2048,64,1,1,40,\n" +
                                                  "b,f,gpt3_175b,Zeta 9000,64,200,8,8,2048,64,1,1,40,\n" + "c,f,short\n" +
                                                  "d,f,gpt3_175b,A100,64,200,8,8,2048,64,1,1,forty,\n");
        QCOMPARE(report.rows.size(), std::size_t(4));
        QVERIFY(report.rows[0].prediction.known());
        QVERIFY(report.rows[1].prediction.reason.find("Zeta 9000") != std::string::npos);
        QVERIFY(report.rows[2].prediction.reason.find("line 4") != std::string::npos);
        QVERIFY(report.rows[3].prediction.reason.find("\"forty\" is not a number") != std::string::npos);
        QCOMPARE(report.families.front().n, 3);
        QCOMPARE(report.families.front().predicted, 1);
    }

    /// A measured cell that is no figure to compare with has an entry that says why.
    void measuredCellsWithoutFigure_data() {
        QTest::addColumn<QString>("cell");
        QTest::addColumn<QString>("reason");
        QTest::newRow("negative") << "-1" << "measured value is not positive";
        QTest::newRow("zero") << "0" << "measured value is not positive";
        QTest::newRow("word") << "OOM" << "iter_time_s \"OOM\" is not a number";
        QTest::newRow("other unit") << "3.1 GB" << "iter_time_s \"3.1 GB\" is not a number";
    }
    void measuredCellsWithoutFigure() {
        QFETCH(QString, cell);
        QFETCH(QString, reason);
        const ValidationReport report = validated(std::string(header) + "a,f,gpt3_175b,A100,64,200,8,8,2048,64,1,1," + cell.toStdString() + ",140\n");
        QCOMPARE(report.rows.size(), std::size_t(2));
        for (const ValidatedRow& row : report.rows) {
            const bool bad = row.prediction.quantity == "iter_time_s";
            QCOMPARE(row.prediction.known(), !bad);
            QCOMPARE(QString::fromStdString(row.prediction.reason), bad ? reason : QString());
        }
    }

    /// Units in cells convert to that of the column.
    void measuredCellsWithUnits_data() {
        QTest::addColumn<QByteArray>("cell");
        QTest::addColumn<double>("value");
        for (const auto& [cell, value] : {std::pair("3.1 s", 3.1), {"3100 ms", 3.1}, {"~3.1", 3.1}, {"3.1*", 3.1}, {"0.05 min", 3.}})
            QTest::newRow(cell) << QByteArray(cell) << value;
    }
    void measuredCellsWithUnits() {
        QFETCH(QByteArray, cell);
        QFETCH(double, value);
        const ValidationReport report = validated(std::string(header) + "a,f,gpt3_175b,A100,64,200,8,8,2048,64,1,1," + cell.toStdString() + ",~140 TFLOPs\n");
        QCOMPARE(report.rows.size(), std::size_t(2));
        QVERIFY(report.rows[0].prediction.known() && near(report.rows[0].prediction.measured, value));
        QVERIFY(report.rows[1].prediction.known() && near(report.rows[1].prediction.measured, 140));
    }

    /// An input that cannot be used is a reason, never a default.
    void unusableInputs_data() {
        QTest::addColumn<int>("column");
        QTest::addColumn<QByteArray>("cell");
        const char* const names[] = {"id", "family", "model", "gpu", "n_gpus", "nic_gbps", "tp", "pp", "seq", "gbs", "vpp", "micro_batch"};
        for (const int column : {4, 6, 7, 8, 9, 10, 11})
            for (const char* cell : {"abc", "-1", "inf", "OOM", "1.5", "1e308"})
                QTest::addRow("%s %s", names[column], cell) << column << QByteArray(cell);
        for (const int column : {4, 6, 7, 8, 9, 11})
            QTest::addRow("%s 0", names[column]) << column << QByteArray("0");
    }
    void unusableInputs() {
        QFETCH(int, column);
        QFETCH(QByteArray, cell);
        QByteArrayList cells = QByteArray("a,f,gpt3_175b,A100,64,200,8,8,2048,64,1,1,40,").split(',');
        QVERIFY(validated(std::string(header) + cells.join(',').toStdString() + "\n").rows.at(0).prediction.known());
        cells[column] = cell;
        const ValidationReport report = validated(std::string(header) + cells.join(',').toStdString() + "\n");
        QCOMPARE(report.rows.size(), std::size_t(1));
        QVERIFY(!report.rows[0].prediction.known());
        QVERIFY2(report.rows[0].prediction.reason.find(cell.toStdString()) != std::string::npos, report.rows[0].prediction.reason.c_str());
    }

    /// Products by all their names; what is not estimated is not priced as one.
    void operatorsByName_data() {
        QTest::addColumn<QByteArray>("op");
        QTest::addColumn<QByteArray>("format");
        QTest::addColumn<bool>("known");
        for (const char* op : {"gemm", "matmul", "addmm", "bmm", "Linear", "mm", "softmax", "layer_norm", "add"})
            QTest::newRow(op) << QByteArray(op) << QByteArray("fp16") << true;
        for (const char* op : {"flash_attention", "moe", "allreduce", "conv2d", "embedding", "rope", "dropout", "abc", "-1"})
            QTest::newRow(op) << QByteArray(op) << QByteArray("fp16") << false;
        for (const char* format : {"unheard", "w4a16_awq", "sq"})
            QTest::newRow(format) << QByteArray("gemm") << QByteArray(format) << false;
    }
    void operatorsByName() {
        QFETCH(QByteArray, op);
        QFETCH(QByteArray, format);
        QFETCH(bool, known);
        const ValidationReport report = validated(("op,device,m,n,k,dtype,time_ms\n" + op + ",A100,4096,4096,4096," + format + ",1\n").toStdString(), "operators.csv");
        QCOMPARE(report.rows.size(), std::size_t(1));
        QCOMPARE(report.rows[0].prediction.known(), known);
        QCOMPARE(report.rows[0].prediction.reason.empty(), known);
    }

    void columnsNotUnderstood() {
        const ValidationReport report = validated("gpu,n_gpus,colour,n_gpus,model,gbs,iter_time_s\nA100,64,red,32,gpt3_175b,64,40\n");
        QCOMPARE(report.notUnderstood.size(), std::size_t(1));
        QCOMPARE(report.notUnderstood[0].columns, (std::vector<std::string>{"colour", "n_gpus"}));
    }

    void linesEndedByCarriageReturns() {
        QCOMPARE(table("a,b\r1,2\r3,4\r").records.size(), std::size_t(2));
        QVERIFY(!parseCsv(std::string("\xFF\xFE" "a\0,\0b\0", 8), "x.csv"));
    }

    void kindsByNameAndByColumns() {
        QCOMPARE(kindOf(table(header, "training.csv"))->name, std::string_view("training"));
        QCOMPARE(kindOf(table(header, "own.csv"))->name, std::string_view("training"));
        QVERIFY(!kindOf(table("colour,shape\nred,round\n", "own.csv")));
        const auto kind = [](std::string_view text) { return std::string(kindOf(table(text, "own.csv"))->name); };
        QCOMPARE(kind("model,system,n_gpus,tp,pp,micro_batch,gbs,tokens_per_s_per_gpu\n"), std::string("training"));
        QCOMPARE(kind("model,gpu,n_gpus,tp,pp,gbs,samples_to_converge,time_to_train_min\n"), std::string("mlperf_training"));
        QCOMPARE(kind("metric,n_gpus,days,value\nunexpected interruptions,64,1,1\n"), std::string("reliability"));
        QCOMPARE(kind("metric,n_gpus,value\nMTTF hours,64,1\n"), std::string("reliability"));
        QCOMPARE(kind("metric,n_gpus,value\nHPL Rmax,64,1\n"), std::string("hpc"));
    }
};

QTEST_GUILESS_MAIN(ValidationTest)
#include "validation_test.moc"
