// SPDX-License-Identifier: GPL-3.0-or-later
//
// Quantities as types: a watt cannot be added to a byte. A small facade over Boost.Units with the base
// dimensions of this program: second, metre, kilogram, kelvin, byte, operation, token and money (US dollar).
// Every quantity holds a double in these base units, one direction, dense, 10^3-based prefixes.
// `si(q)` is the only way out to a bare number; the maker functions (`gigabytesPerSecond(3.35e3)`) the only way in.
#pragma once

#include <boost/units/base_dimension.hpp>
#include <boost/units/base_unit.hpp>
#include <boost/units/derived_dimension.hpp>
#include <boost/units/make_system.hpp>
#include <boost/units/quantity.hpp>
#include <boost/units/unit.hpp>

namespace cw::units {

namespace bu = boost::units;

struct TimeDimension : bu::base_dimension<TimeDimension, 7001> {};
struct LengthDimension : bu::base_dimension<LengthDimension, 7002> {};
struct MassDimension : bu::base_dimension<MassDimension, 7003> {};
struct TemperatureDimension : bu::base_dimension<TemperatureDimension, 7004> {};
struct DataDimension : bu::base_dimension<DataDimension, 7005> {};
struct OperationDimension : bu::base_dimension<OperationDimension, 7006> {};
struct TokenDimension : bu::base_dimension<TokenDimension, 7007> {};
struct MoneyDimension : bu::base_dimension<MoneyDimension, 7008> {};

struct SecondUnit : bu::base_unit<SecondUnit, TimeDimension::dimension_type, 7001> {};
struct MetreUnit : bu::base_unit<MetreUnit, LengthDimension::dimension_type, 7002> {};
struct KilogramUnit : bu::base_unit<KilogramUnit, MassDimension::dimension_type, 7003> {};
struct KelvinUnit : bu::base_unit<KelvinUnit, TemperatureDimension::dimension_type, 7004> {};
struct ByteUnit : bu::base_unit<ByteUnit, DataDimension::dimension_type, 7005> {};
struct OperationUnit : bu::base_unit<OperationUnit, OperationDimension::dimension_type, 7006> {};
struct TokenUnit : bu::base_unit<TokenUnit, TokenDimension::dimension_type, 7007> {};
struct DollarUnit : bu::base_unit<DollarUnit, MoneyDimension::dimension_type, 7008> {};

using System = bu::make_system<SecondUnit, MetreUnit, KilogramUnit, KelvinUnit, ByteUnit, OperationUnit, TokenUnit,
                               DollarUnit>::type;

template <class Base, int N> using Power = bu::dim<Base, bu::static_rational<N>>;
template <class... Dims> struct MakeDimension;
template <class A> struct MakeDimension<A> {
    using type = typename bu::make_dimension_list<bu::list<A, bu::dimensionless_type>>::type;
};
template <class A, class B> struct MakeDimension<A, B> {
    using type = typename bu::make_dimension_list<bu::list<A, bu::list<B, bu::dimensionless_type>>>::type;
};
template <class A, class B, class C> struct MakeDimension<A, B, C> {
    using type = typename bu::make_dimension_list<bu::list<A, bu::list<B, bu::list<C, bu::dimensionless_type>>>>::type;
};
template <class... Dims> using Of = bu::quantity<bu::unit<typename MakeDimension<Dims...>::type, System>, double>;

} // namespace cw::units

namespace cw {

using Seconds = units::Of<units::Power<units::TimeDimension, 1>>;
using Hertz = units::Of<units::Power<units::TimeDimension, -1>>; // also: requests, events or items per second
using Metres = units::Of<units::Power<units::LengthDimension, 1>>;
using CubicMetresPerSecond = units::Of<units::Power<units::LengthDimension, 3>, units::Power<units::TimeDimension, -1>>;
using Kilograms = units::Of<units::Power<units::MassDimension, 1>>;
using Kelvins = units::Of<units::Power<units::TemperatureDimension, 1>>; // temperature differences
using Joules = units::Of<units::Power<units::LengthDimension, 2>, units::Power<units::MassDimension, 1>,
                         units::Power<units::TimeDimension, -2>>;
using Watts = units::Of<units::Power<units::LengthDimension, 2>, units::Power<units::MassDimension, 1>,
                        units::Power<units::TimeDimension, -3>>;
using Bytes = units::Of<units::Power<units::DataDimension, 1>>;
using BytesPerSecond = units::Of<units::Power<units::DataDimension, 1>, units::Power<units::TimeDimension, -1>>;
using Operations = units::Of<units::Power<units::OperationDimension, 1>>;
using OperationsPerSecond = units::Of<units::Power<units::OperationDimension, 1>, units::Power<units::TimeDimension, -1>>;
using Tokens = units::Of<units::Power<units::TokenDimension, 1>>;
using TokensPerSecond = units::Of<units::Power<units::TokenDimension, 1>, units::Power<units::TimeDimension, -1>>;
using Dollars = units::Of<units::Power<units::MoneyDimension, 1>>;
using DollarsPerSecond = units::Of<units::Power<units::MoneyDimension, 1>, units::Power<units::TimeDimension, -1>>;

/// The bare number in base units (s, m, kg, K, W, byte, operation, token, USD and their quotients).
template <class Unit> constexpr double si(const boost::units::quantity<Unit, double>& q) { return q.value(); }

/// A quantity from a bare number that is already in base units.
template <class Q> constexpr Q fromSi(double value) { return Q::from_value(value); }

constexpr Seconds seconds(double v) { return fromSi<Seconds>(v); }
constexpr Seconds milliseconds(double v) { return fromSi<Seconds>(v * 1e-3); }
constexpr Seconds microseconds(double v) { return fromSi<Seconds>(v * 1e-6); }
constexpr Seconds hours(double v) { return fromSi<Seconds>(v * 3600.0); }
constexpr Hertz perSecond(double v) { return fromSi<Hertz>(v); }
constexpr Metres metres(double v) { return fromSi<Metres>(v); }
constexpr Kilograms kilograms(double v) { return fromSi<Kilograms>(v); }
constexpr Kelvins kelvins(double v) { return fromSi<Kelvins>(v); }
constexpr Watts watts(double v) { return fromSi<Watts>(v); }
constexpr Watts kilowatts(double v) { return fromSi<Watts>(v * 1e3); }
constexpr Joules kilowattHours(double v) { return fromSi<Joules>(v * 3.6e6); }
constexpr Bytes bytes(double v) { return fromSi<Bytes>(v); }
constexpr Bytes gigabytes(double v) { return fromSi<Bytes>(v * 1e9); }
constexpr Bytes gibibytes(double v) { return fromSi<Bytes>(v * 1073741824.0); }
constexpr BytesPerSecond bytesPerSecond(double v) { return fromSi<BytesPerSecond>(v); }
constexpr BytesPerSecond gigabytesPerSecond(double v) { return fromSi<BytesPerSecond>(v * 1e9); }
constexpr BytesPerSecond gigabitsPerSecond(double v) { return fromSi<BytesPerSecond>(v * 1e9 / 8.0); }
constexpr OperationsPerSecond teraOperationsPerSecond(double v) { return fromSi<OperationsPerSecond>(v * 1e12); }
constexpr OperationsPerSecond gigaOperationsPerSecond(double v) { return fromSi<OperationsPerSecond>(v * 1e9); }
constexpr Operations operations(double v) { return fromSi<Operations>(v); }
constexpr Dollars dollars(double v) { return fromSi<Dollars>(v); }
constexpr DollarsPerSecond dollarsPerHour(double v) { return fromSi<DollarsPerSecond>(v / 3600.0); }

/// A band of plausible values, low ≤ high.
template <class Q> struct Band {
    Q low{};
    Q high{};
    bool operator==(const Band&) const = default;
};

} // namespace cw
