// SPDX-License-Identifier: GPL-3.0-or-later
//
// Closed forms of queues against independent computations: sums over states, numerical integration, and textbook identities.
#include "estimators/services/queueing.h"

#include <QtTest>

#include <cmath>

using namespace cw;

namespace {

/// Erlang C by the sum over all states of the birth-death chain, in long double and from the largest term.
double erlangCBySum(double offered, long servers)
{
    long double term = 1, below = 0; // Σ_{n<c} (c!/n!) a^(n-c), from n = c-1 downwards
    for (long n = servers; n > 0; --n) {
        term *= n / static_cast<long double>(offered);
        below += term;
    }
    const long double rho = offered / static_cast<long double>(servers);
    return static_cast<double>(1 / (1 + (1 - rho) * below));
}

/// Response time tail of M/M/c by integrating the wait over an exponential service (Simpson), independent of the closed form.
double responseTailByIntegration(double c, double waitRate, double mu, double t)
{
    const int steps = 20000;
    double sum = 0;
    for (int i = 0; i <= steps; ++i) {
        const double s = t * i / steps, weight = i == 0 || i == steps ? 1 : i % 2 ? 4 : 2;
        sum += weight * mu * std::exp(-mu * s) * c * std::exp(-waitRate * (t - s));
    }
    return std::exp(-mu * t) + sum * t / steps / 3;
}

} // namespace

class QueueingTest : public QObject {
    Q_OBJECT

  private slots:
    void erlangC_data();
    void erlangC();
    void erlangBIsExactAtSmallSizes();
    void limitsOfErlang();
    void manyServersMeetTheLimit();
    void waitOfMMc();
    void pollaczekKhinchine();
    void allenCunneen();
    void percentilesOfWaits();
    void responseOfMM1IsExponential();
    void responseOfMMc_data();
    void responseOfMMc();
    void constantServiceIsShifted();
    void percentilesRise_data();
    void percentilesRise();
    void gammaAgainstKnownValues();
    void gammaQuantileInvertsItsTail();
    void normalQuantiles();
    void fanOut();
    void twoWaitsInARow();
    void nonsenseIsHarmless();
};

void QueueingTest::erlangC_data()
{
    QTest::addColumn<double>("offered");
    QTest::addColumn<int>("servers");
    for (const auto& [offered, servers] : {std::pair{.5, 1}, {.01, 2}, {1.9, 2}, {3., 4}, {7.5, 8}, {28., 32}, {90., 100}, {99.9, 100},
                                           {450., 500}, {990., 1000}, {4.5, 1000}, {9950., 10000}})
        QTest::addRow("%g on %d", offered, servers) << offered << servers;
}

void QueueingTest::erlangC()
{
    QFETCH(double, offered);
    QFETCH(int, servers);
    const double exact = erlangCBySum(offered, servers), found = cw::erlangC(offered, servers);
    QVERIFY2(std::abs(found - exact) <= 1e-9 * exact + 1e-15, qPrintable(QString("%1 %2").arg(found, 0, 'g', 12).arg(exact, 0, 'g', 12)));
    // C = B / (1 - rho (1 - B))
    const double blocked = erlangB(offered, servers), rho = offered / servers;
    QVERIFY(std::abs(blocked / (1 - rho * (1 - blocked)) - found) < 1e-12);
}

void QueueingTest::erlangBIsExactAtSmallSizes()
{
    QCOMPARE(erlangB(2, 1), 2. / 3);
    QCOMPARE(erlangB(2, 2), 2. / 5);
    QCOMPARE(erlangB(2, 3), (8. / 6) / (1 + 2 + 2 + 8. / 6));
}

void QueueingTest::limitsOfErlang()
{
    QCOMPARE(cw::erlangC(0, 5), 0.);
    QCOMPARE(cw::erlangC(5, 5), 1.);
    QCOMPARE(cw::erlangC(6, 5), 1.);
    QCOMPARE(cw::erlangC(.3, 1), .3); // one server: busy as often as it has work
    QVERIFY(cw::erlangC(1e5, 10'000'000) < 1e-15);
}

void QueueingTest::manyServersMeetTheLimit()
{
    // Just below and above the switch to the many-server limit the two agree to its order, 1/sqrt(a).
    const double exact = cw::erlangC(1e6 - 1, 1'001'000), limit = cw::erlangC(1e6 + 1, 1'001'000);
    QVERIFY(std::abs(exact - limit) < 5e-3 * exact);
}

void QueueingTest::waitOfMMc()
{
    // M/M/2 at rho .75: C = 2 rho²/(1+rho), W = C/(c mu - lambda).
    const Waiting wait = waiting(1.5, 1, 2);
    QVERIFY(std::abs(wait.probability - 2 * .75 * .75 / 1.75) < 1e-12);
    QVERIFY(std::abs(wait.mean() - wait.probability / .5) < 1e-12);
    QCOMPARE(wait.utilisation, .75);
    QVERIFY(wait.stable);
    QVERIFY(!waiting(2, 1, 2).stable);
}

void QueueingTest::pollaczekKhinchine()
{
    for (const double cv2 : {0., .3, 1., 4.})
        for (const double rho : {.1, .5, .9}) {
            const double service = .02, lambda = rho / service;
            const double exact = lambda * service * service * (1 + cv2) / (2 * (1 - rho));
            QVERIFY(std::abs(waiting(lambda, service, 1, cv2).mean() - exact) <= 1e-6 * exact);
        }
}

void QueueingTest::allenCunneen()
{
    const double markov = waiting(28, 1, 32).mean();
    QVERIFY(std::abs(waiting(28, 1, 32, 3).mean() - 2 * markov) < 1e-12);
    QVERIFY(std::abs(waiting(28, 1, 32, .5, .25).mean() - .375 * markov) < 1e-12);
}

void QueueingTest::percentilesOfWaits()
{
    const double lambda = 90, mu = 1;
    const Waiting wait = waiting(lambda, 1 / mu, 100);
    const double c = erlangCBySum(90, 100);
    QVERIFY(std::abs(wait.quantile(.99) - std::log(c / .01) / (100 * mu * (1 - .9))) < 1e-6);
    QCOMPARE(wait.quantile(.5), 0.); // fewer than half wait
    QVERIFY(std::abs(wait.tail(wait.quantile(.99)) - .01) < 1e-12);
}

void QueueingTest::responseOfMM1IsExponential()
{
    for (const double rho : {.05, .5, .8, .99}) {
        const Sojourn response{0, {1, 1}, waiting(rho, 1, 1)};
        for (const double p : {.5, .95, .99, .999}) {
            const double exact = -std::log(1 - p) / (1 - rho);
            QVERIFY2(std::abs(response.quantile(p) / exact - 1) < 1e-6, qPrintable(QString::number(rho)));
        }
    }
}

void QueueingTest::responseOfMMc_data()
{
    QTest::addColumn<double>("lambda");
    QTest::addColumn<int>("servers");
    QTest::newRow("two busy") << 1.9 << 2;
    QTest::newRow("wait as fast as service") << 1. << 2; // c mu - lambda = mu: the textbook formula divides by zero here
    QTest::newRow("many idle") << 20. << 64;
    QTest::newRow("many busy") << 62. << 64;
}

void QueueingTest::responseOfMMc()
{
    QFETCH(double, lambda);
    QFETCH(int, servers);
    const Waiting wait = waiting(lambda, 1, servers);
    const Sojourn response{0, {1, 1}, wait};
    for (const double p : {.5, .95, .99}) {
        const double t = response.quantile(p);
        QVERIFY(std::abs(responseTailByIntegration(wait.probability, wait.rate, 1, t) - (1 - p)) < 1e-6);
    }
    QVERIFY(std::abs(response.mean() - (1 + wait.mean())) < 1e-12);
}

void QueueingTest::constantServiceIsShifted()
{
    const Waiting wait = waiting(30, .03, 1, 0);
    const Sojourn response{.5, {.03, 0}, wait};
    QVERIFY(std::abs(response.quantile(.99) - (.53 + wait.quantile(.99))) < 1e-12);
    QCOMPARE(response.tail(.52), 1.);
}

void QueueingTest::percentilesRise_data()
{
    QTest::addColumn<double>("cv2");
    for (const double cv2 : {0., .01, .2, 1., 2.5, 16.})
        QTest::addRow("cv2 %g", cv2) << cv2;
}

void QueueingTest::percentilesRise()
{
    QFETCH(double, cv2);
    double last = 0;
    for (const double rho : {0., .2, .5, .8, .9, .95, .99}) { // more load is never faster
        const Sojourn response{.001, {.01, cv2}, waiting(rho * 8 / .01, .01, 8, cv2)};
        const double p50 = response.quantile(.5), p95 = response.quantile(.95), p99 = response.quantile(.99);
        QVERIFY(p50 <= p95 && p95 <= p99);
        QVERIFY(p99 >= last - 1e-9);
        QVERIFY(std::abs(response.tail(p99) - .01) < 1e-6 || cv2 == 0);
        last = p99;
    }
}

void QueueingTest::gammaAgainstKnownValues()
{
    // Integer shapes have the Poisson sum; half shapes the error function.
    const auto poisson = [](int shape, double x) {
        double term = 1, sum = 1;
        for (int n = 1; n < shape; ++n)
            sum += term *= x / n;
        return std::exp(-x) * sum;
    };
    for (const int shape : {1, 2, 5, 30})
        for (const double x : {.01, .5, 3., 29., 80.})
            QVERIFY(std::abs(gammaUpper(shape, x) - poisson(shape, x)) < 1e-12);
    for (const double x : {.001, .3, 2., 20.}) {
        QVERIFY(std::abs(gammaLower(.5, x) - std::erf(std::sqrt(x))) < 1e-12);
        QVERIFY(std::abs(gammaLower(.5, x) + gammaUpper(.5, x) - 1) < 1e-12);
    }
}

void QueueingTest::gammaQuantileInvertsItsTail()
{
    for (const double cv2 : {.001, .04, .3, 1., 3., 10.})
        for (const double p : {.01, .5, .95, .99, .9999}) {
            const GammaDistribution gamma{7, cv2};
            QVERIFY2(std::abs(gamma.tail(gamma.quantile(p)) - (1 - p)) < 1e-8, qPrintable(QString("%1 %2").arg(cv2).arg(p)));
        }
    QCOMPARE(GammaDistribution({7, 0}).quantile(.99), 7.);
    QCOMPARE(GammaDistribution({0, 1}).quantile(.99), 0.);
}

void QueueingTest::normalQuantiles()
{
    QVERIFY(std::abs(normalQuantile(.5)) < 1e-12);
    QVERIFY(std::abs(normalQuantile(.975) - 1.959963984540054) < 1e-12);
    QVERIFY(std::abs(normalQuantile(.99) - 2.3263478740408408) < 1e-12);
    QVERIFY(std::abs(normalQuantile(.001) + 3.090232306167813) < 1e-12);
}

void QueueingTest::fanOut()
{
    QCOMPARE(fanOutLevel(.99, 1), .99);
    QCOMPARE(fanOutLevel(.99, 0), .99);
    // The slowest of k exponentials: quantile -ln(1 - p^(1/k)); close to the level 1 - .01/k of the design note.
    const double level = fanOutLevel(.99, 20);
    QVERIFY(std::abs(std::pow(level, 20) - .99) < 1e-12);
    QVERIFY(std::abs(level - (1 - .01 / 20)) < 5e-6);
}

void QueueingTest::twoWaitsInARow()
{
    const Waiting a = waiting(.8, 1, 1), b = waiting(3, 1, 4);
    const Waiting sum = both(a, b);
    QVERIFY(std::abs(sum.mean() - a.mean() - b.mean()) < 1e-12);
    QVERIFY(sum.probability <= 1 && sum.probability >= std::max(a.probability, b.probability));
    QVERIFY(std::abs(both(a, Waiting{}).quantile(.99) - a.quantile(.99)) < 1e-12);
}

void QueueingTest::nonsenseIsHarmless()
{
    const double nan = std::nan("");
    QVERIFY(waiting(0, 1, 4).stable);
    QVERIFY(!waiting(1, 1, 0).stable);
    QVERIFY(waiting(nan, 1, 4).mean() == 0);
    const Waiting saturated = waiting(4, 1, 4);
    QVERIFY(!saturated.stable && saturated.probability == 1 && saturated.quantile(.99) > 1e6); // for ever, but it returns
    QVERIFY(Sojourn({0, {0, 0}, {}}).quantile(.99) == 0);
}

QTEST_GUILESS_MAIN(QueueingTest)
#include "queueing_test.moc"
