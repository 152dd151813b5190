// SPDX-License-Identifier: GPL-3.0-or-later
//
// The error with a model or a device left out, on sets small enough to count by hand, and the figures that the window reads.
#include "estimators/validation/family_errors.h"
#include "estimators/validation/left_out.h"
#include "estimators/validation/validation.h"
#include "tests/estimators/training_scene.h"

#include <QTest>

#include <cmath>

using namespace cw;
using cw::test::near;

class LeftOutTest : public QObject {
    Q_OBJECT

private slots:
    /// Model c is predicted 1.5 times too high, a and b are right: against the median of a and b, c errs by 50 %; a against {1, 1, 1, 1.5, 1.5}
    /// stays right, b against {1, 1, 1.5, 1.5} is predicted at 1/1.25.
    void oneScaleFromTheOthers() {
        const std::vector<GroupedRatio> rows{{1, "a"}, {1, "a"}, {1, "b"}, {1, "b"}, {1, "b"}, {1.5, "c"}, {1.5, "c"}};
        const std::vector<double> errors = leftOutErrors(rows, rows);
        QCOMPARE(errors.size(), rows.size());
        QVERIFY(near(errors[0] + 1, 1) && near(errors[1] + 1, 1));
        QVERIFY(near(errors[2], 20) && near(errors[4], 20));
        QVERIFY(near(errors[5], 50) && near(errors[6], 50));
    }

    /// A level that all groups share is no error here: that is what the scale takes back.
    void sharedLevelIsTakenBack() {
        const std::vector<GroupedRatio> rows{{2, "a"}, {2, "a"}, {2, "a"}, {2, "b"}, {2, "b"}, {2, "b"}};
        for (const double error : leftOutErrors(rows, rows))
            QVERIFY(near(error + 1, 1));
    }

    /// The median of an even number lies between the middle two: b against {1, 1.2, 1.4, 2} is 1.3 / 1.3.
    void medianBetweenTwo() {
        const std::vector<GroupedRatio> pool{{1, "a"}, {1.4, "a"}, {2, "a"}, {1.2, "a"}, {9, "b"}};
        const std::vector<GroupedRatio> row{{1.3, "b"}};
        QVERIFY(near(leftOutErrors(row, pool).at(0) + 1, 1));
    }

    void tooFewOthers() {
        const std::vector<GroupedRatio> rows{{1, "a"}, {1, "a"}, {1, "b"}, {1, "b"}};
        QVERIFY(leftOutErrors(rows, rows).empty());
        QVERIFY(leftOutErrors({}, rows).empty());
    }

    /// By families of a report: models among a family's own rows, devices among all rows of the file with the same software.
    void byFamilies() {
        ValidationReport report;
        const auto add = [&](const char* family, const char* model, const char* device, double ratio) {
            ValidatedRow row;
            row.file = "training.csv";
            row.family = family;
            row.model = model;
            row.device = device;
            row.software = "stack";
            row.prediction.quantity = "step_time_s";
            row.prediction.measured = 2;
            row.prediction.predicted = 2 * ratio;
            report.rows.push_back(row);
        };
        for (const char* model : {"m1", "m1", "m2", "m2"})
            add("first", model, "d1", 1.0);
        for (const char* model : {"m1", "m1", "m1"})
            add("second", model, "d2", 1.2);
        addStatistics(report);
        QCOMPARE(report.families.size(), std::size_t(2));
        const FamilyStatistics &first = report.families[0], &second = report.families[1];
        QCOMPARE(first.devices, std::string("d1"));
        QCOMPARE(first.model.n, 0); // two rows of another model are too few
        QCOMPARE(second.model.n, 0); // one model
        QCOMPARE(first.device.n, 4);
        QVERIFY(near(first.device.mean, 100 * (1 - 1 / 1.2)) && near(second.device.mean, 20) && near(second.device.p90, 20));
    }

    /// A range widens only for what was not measured, and by what leaving it out gave.
    void believedRange() {
        FamilyError error;
        error.own = {5, 8};
        QCOMPARE(error.believed(false, false), 8.0);
        error.model = {7, 14};
        error.device = {6, 11};
        QCOMPARE(error.believed(true, true), 8.0);
        QCOMPARE(error.believed(false, true), 14.0);
        QCOMPARE(error.believed(true, false), 11.0);
        error.devices = "h100_sxm gb200";
        QVERIFY(error.measured("gb200") && error.measured("h100_sxm") && !error.measured("gb300") && !error.measured("h100"));
    }

    void familiesCanBeAsked() {
        QVERIFY(!familyErrors().empty());
        const FamilyError* h100 = familyError("training.csv", "megatron_bridge_h100");
        QVERIFY(h100 && h100->measured("h100_sxm") && h100->own.mean > 0 && h100->own.p90 >= h100->own.mean / 2);
        QVERIFY(!familyError("training.csv", "nobody"));
        QVERIFY(familyError("training.csv", "torchtitan_h100")->quantity.find("mem") == std::string_view::npos);
    }
};

QTEST_GUILESS_MAIN(LeftOutTest)
#include "left_out_test.moc"
