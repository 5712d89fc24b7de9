/// Coordinates of eight points side by side, for G1 (Fp) and G2 (Fp2). Values are carried and below 8 p.
/// Include only between field/ifma_begin.h and field/ifma_end.h, after field/ifma_lanes.h.
///
/// Scales: an element x of memory is x R with R = 2^384, and a product divides by R' = 2^416. See add_pairs_ifma.cpp.
#pragma once

namespace cuzk::msm {

template <class Field>
class CoordinateLanes;

template <>
class CoordinateLanes<Fp> {
 public:
  CoordinateLanes() = default;
  explicit CoordinateLanes(const IfmaLanes<Fp>& lanes) : lanes_(lanes) {}

  static CoordinateLanes all(const Fp& x) { return CoordinateLanes(IfmaLanes<Fp>::all(x)); }
  /// at(lane) is the address of a lane's element.
  template <class At>
  static CoordinateLanes load_from(const At& at) {
    return CoordinateLanes(IfmaLanes<Fp>::load_from(at));
  }
  /// Of a canonical value.
  template <class At>
  void store_to(const At& at) const {
    lanes_.store_to(at);
  }

  CoordinateLanes operator*(const CoordinateLanes& y) const { return CoordinateLanes((lanes_ * y.lanes_).carried()); }
  CoordinateLanes squared() const { return *this * *this; }
  CoordinateLanes minus_canonical(const CoordinateLanes& y) const {
    return CoordinateLanes(lanes_.minus<1>(y.lanes_).carried());
  }
  template <unsigned kCount>
  CoordinateLanes shifted_left() const {
    return CoordinateLanes(lanes_.shifted_left<kCount>());
  }
  CoordinateLanes canonical() const { return CoordinateLanes(lanes_.canonical()); }

 private:
  IfmaLanes<Fp> lanes_;
};

template <>
class CoordinateLanes<Fp2> {
 public:
  CoordinateLanes() = default;

  static CoordinateLanes all(const Fp2& x) { return {IfmaLanes<Fp>::all(x.c0), IfmaLanes<Fp>::all(x.c1)}; }
  template <class At>
  static CoordinateLanes load_from(const At& at) {
    return {IfmaLanes<Fp>::load_from([&](std::size_t lane) { return &at(lane)->c0; }),
            IfmaLanes<Fp>::load_from([&](std::size_t lane) { return &at(lane)->c1; })};
  }
  template <class At>
  void store_to(const At& at) const {
    c0_.store_to([&](std::size_t lane) { return &at(lane)->c0; });
    c1_.store_to([&](std::size_t lane) { return &at(lane)->c1; });
  }

  /// Karatsuba. The three products are below 2 p.
  CoordinateLanes operator*(const CoordinateLanes& y) const {
    const IfmaLanes<Fp> low = c0_ * y.c0_, high = c1_ * y.c1_;
    const IfmaLanes<Fp> cross = (c0_ + c1_).carried() * (y.c0_ + y.c1_).carried();
    return {low.minus<2>(high).carried(), cross.minus<2>(low).minus<2>(high).carried()};
  }
  /// (c0 + c1)(c0 - c1) + 2 c0 c1 u
  CoordinateLanes squared() const {
    const IfmaLanes<Fp> product = c0_ * c1_;
    return {((c0_ + c1_).carried() * c0_.minus<8>(c1_).carried()).carried(), (product + product).carried()};
  }
  CoordinateLanes minus_canonical(const CoordinateLanes& y) const {
    return {c0_.minus<1>(y.c0_).carried(), c1_.minus<1>(y.c1_).carried()};
  }
  template <unsigned kCount>
  CoordinateLanes shifted_left() const {
    return {c0_.shifted_left<kCount>(), c1_.shifted_left<kCount>()};
  }
  CoordinateLanes canonical() const { return {c0_.canonical(), c1_.canonical()}; }

 private:
  CoordinateLanes(const IfmaLanes<Fp>& c0, const IfmaLanes<Fp>& c1) : c0_(c0), c1_(c1) {}

  IfmaLanes<Fp> c0_, c1_;
};

}  // namespace cuzk::msm
