/// Eight elements of a prime field side by side, in AVX-512 registers, as limbs of 52 bits.
///
/// A value is held in redundant form: limbs are signed 64-bit words, and the value is below 2^(52 kLimbs), not below
/// the modulus m. `+` and `minus` do not carry; `carried()` brings the limbs into [0, 2^52), which `*` needs of both
/// sides. `*` is Montgomery's multiplication with R' = 2^(52 kLimbs); its result is below x y / R' + m and not carried.
/// A factor is converted once (Factor, factors) to w R'; then x * factor keeps the form that x has in memory.
/// Include only between field/ifma_begin.h and field/ifma_end.h, after <bit>, <immintrin.h> and the field's header.
/// Source: Gueron, Krasnov, "Software Implementation of Modular Exponentiation, Using Advanced Vector Instructions
/// Architectures", with the multiply-adds of 52 bits.
#pragma once

#if defined(__clang__)
#define CUZK_UNROLL _Pragma("clang loop unroll(full)")
#else
#define CUZK_UNROLL _Pragma("GCC unroll 16")
#endif

namespace cuzk {

template <class Element>
class IfmaLanes {
 public:
  static constexpr std::size_t kLanes = 8;
  static constexpr std::size_t kWords = Element::kLimbs;
  static constexpr std::size_t kLimbs = (64 * kWords + 51) / 52;

  /// One constant for all lanes, in the form w R'.
  struct Factor {
    Limbs<kLimbs> limb;

    static Factor from(const Element& w) { return {split((w * radix_ratio()).montgomery_form())}; }
  };

  /// One constant for all lanes in its own form: for sums.
  struct Constant {
    Limbs<kLimbs> limb;

    static Constant from(const Element& x) { return {split(x.montgomery_form())}; }
  };

  IfmaLanes() = default;

  static IfmaLanes zero() {
    IfmaLanes result;
    CUZK_UNROLL for (std::size_t i = 0; i < kLimbs; ++i) result.limb_[i] = _mm512_setzero_si512();
    return result;
  }
  /// The same element in every lane, in its own form.
  static IfmaLanes all(const Element& x) { return all(Constant::from(x)); }
  static IfmaLanes all(const Constant& x) {
    IfmaLanes result;
    CUZK_UNROLL for (std::size_t i = 0; i < kLimbs; ++i) result.limb_[i] = broadcast(x.limb[i]);
    return result;
  }
  /// Elements *at(0) ... *at(7); carried.
  template <class At>
  static IfmaLanes load_from(const At& at) {
    __m512i words[kWords];
    load_low_words(words, at);
    if constexpr (kWords == 6) load_high_words(words, at);
    return from_words(words);
  }
  /// Elements first[0], first[stride] ... first[7 stride]; carried.
  static IfmaLanes load(const Element* first, std::size_t stride) {
    return load_from([=](std::size_t lane) { return first + lane * stride; });
  }
  /// Eight factors, each in the form w R'; carried.
  static IfmaLanes factors(const Element (&w)[kLanes]) {
    Element converted[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) converted[lane] = w[lane] * radix_ratio();
    return load(converted, 1);
  }

  /// Writes the elements to *at(0) ... *at(7). The value is canonical: below m and carried.
  template <class At>
  void store_to(const At& at) const {
    __m512i words[kWords];
    to_words(words);
    store_low_words(words, at);
    if constexpr (kWords == 6) store_high_words(words, at);
  }
  void store(Element* first, std::size_t stride) const {
    store_to([=](std::size_t lane) { return first + lane * stride; });
  }

  // Members, not friends: gcc compiles a template's friends for the target that holds at the end of the file.
  IfmaLanes operator+(const IfmaLanes& y) const {
    IfmaLanes sum;
    CUZK_UNROLL for (std::size_t i = 0; i < kLimbs; ++i) sum.limb_[i] = _mm512_add_epi64(limb_[i], y.limb_[i]);
    return sum;
  }
  IfmaLanes operator+(const Constant& y) const { return *this + all(y); }
  /// this - y + kMultiple m, which must not be negative.
  template <u64 kMultiple>
  IfmaLanes minus(const IfmaLanes& y) const {
    constexpr Limbs<kLimbs> offset = modulus_times(kMultiple);
    IfmaLanes difference;
    CUZK_UNROLL for (std::size_t i = 0; i < kLimbs; ++i) {
      difference.limb_[i] = _mm512_sub_epi64(_mm512_add_epi64(limb_[i], broadcast(offset[i])), y.limb_[i]);
    }
    return difference;
  }
  IfmaLanes operator*(const Factor& y) const { return product(*this, y); }
  IfmaLanes operator*(const IfmaLanes& y) const { return product(*this, y); }

  /// A sum of at most 256 products with one reduction for all. Both sides of each are carried.
  class ProductSum {
   public:
    ProductSum() { CUZK_UNROLL for (std::size_t i = 0; i < kColumns; ++i) low_[i] = high_[i] = _mm512_setzero_si512(); }

    template <class Y>
    void add(const IfmaLanes& x, const Y& factor) {
      CUZK_UNROLL for (std::size_t i = 0; i < kLimbs; ++i) {
        const __m512i y = limb_of(factor, i);
        CUZK_UNROLL for (std::size_t j = 0; j < kLimbs; ++j) {
          low_[i + j] = _mm512_madd52lo_epu64(low_[i + j], x.limb_[j], y);
          high_[i + j] = _mm512_madd52hi_epu64(high_[i + j], x.limb_[j], y);
        }
      }
    }

    /// Below sum / R' + m; not carried.
    IfmaLanes reduced() const {
      const __m512i inverse = broadcast(negative_inverse());
      __m512i t[kColumns + 1];
      t[0] = low_[0];
      CUZK_UNROLL for (std::size_t i = 1; i < kColumns; ++i) t[i] = _mm512_add_epi64(low_[i], high_[i - 1]);
      t[kColumns] = high_[kColumns - 1];
      CUZK_UNROLL for (std::size_t i = 0; i < kLimbs; ++i) {
        const __m512i q = _mm512_madd52lo_epu64(_mm512_setzero_si512(), t[i], inverse);
        CUZK_UNROLL for (std::size_t j = 0; j < kLimbs; ++j) {
          t[i + j] = _mm512_madd52lo_epu64(t[i + j], q, broadcast(kModulus[j]));
          t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], q, broadcast(kModulus[j]));
        }
        t[i + 1] = _mm512_add_epi64(t[i + 1], _mm512_srli_epi64(t[i], 52));
      }
      IfmaLanes result;
      CUZK_UNROLL for (std::size_t i = 0; i < kLimbs; ++i) result.limb_[i] = t[kLimbs + i];
      return result;
    }

   private:
    static constexpr std::size_t kColumns = 2 * kLimbs - 1;  // low_[k]: of weight 2^(52 k); high_[k]: of the next
    __m512i low_[kColumns], high_[kColumns];
  };

  /// The same value with limbs in [0, 2^52).
  IfmaLanes carried() const {
    const __m512i mask = broadcast(kMask);
    IfmaLanes result = *this;
    CUZK_UNROLL for (std::size_t i = 0; i + 1 < kLimbs; ++i) {
      result.limb_[i + 1] = _mm512_add_epi64(result.limb_[i + 1], _mm512_srai_epi64(result.limb_[i], 52));
      result.limb_[i] = _mm512_and_si512(result.limb_[i], mask);
    }
    return result;
  }
  /// The same element below m, carried; for any value below 32 m.
  IfmaLanes canonical() const {
    const IfmaLanes value = carried();
    const __m512i quotient = value.quotient_by_modulus();
    IfmaLanes rest;
    CUZK_UNROLL for (std::size_t i = 0; i < kLimbs; ++i) {
      rest.limb_[i] = _mm512_sub_epi64(value.limb_[i], _mm512_mullo_epi64(quotient, broadcast(kModulus[i])));
    }
    return rest.carried().below_modulus();
  }
  /// As canonical(), for a value below 2 m that is carried already.
  IfmaLanes below_modulus() const {
    IfmaLanes reduced;
    CUZK_UNROLL for (std::size_t i = 0; i < kLimbs; ++i) {
      reduced.limb_[i] = _mm512_sub_epi64(limb_[i], broadcast(kModulus[i]));
    }
    reduced = reduced.carried();
    const __mmask8 was_below = _mm512_movepi64_mask(reduced.limb_[kLimbs - 1]);
    return select(was_below, *this, reduced);
  }

  /// 2^kCount times a carried value; carried. kCount is below 52.
  template <unsigned kCount>
  IfmaLanes shifted_left() const {
    const __m512i mask = broadcast(kMask);
    IfmaLanes result;
    result.limb_[0] = _mm512_and_si512(_mm512_slli_epi64(limb_[0], kCount), mask);
    CUZK_UNROLL for (std::size_t i = 1; i < kLimbs; ++i) {
      const __m512i from_below = _mm512_srli_epi64(limb_[i - 1], 52 - kCount);
      result.limb_[i] = _mm512_and_si512(_mm512_or_si512(_mm512_slli_epi64(limb_[i], kCount), from_below), mask);
    }
    return result;
  }

 private:
  /// Lane by lane: chosen where the bit is set, other where it is not.
  static IfmaLanes select(__mmask8 bits, const IfmaLanes& chosen, const IfmaLanes& other) {
    IfmaLanes result;
    CUZK_UNROLL for (std::size_t i = 0; i < kLimbs; ++i) {
      result.limb_[i] = _mm512_mask_blend_epi64(bits, other.limb_[i], chosen.limb_[i]);
    }
    return result;
  }

  static constexpr u64 kMask = (u64{1} << 52) - 1;

  static __m512i broadcast(u64 value) { return _mm512_set1_epi64(static_cast<long long>(value)); }

  /// Limbs of 52 bits of an integer.
  static constexpr Limbs<kLimbs> split(const Limbs<kWords>& integer) {
    Limbs<kLimbs> result{};
    for (std::size_t i = 0; i < kLimbs; ++i) {
      const std::size_t word = 52 * i / 64, place = 52 * i % 64;
      u64 bits = integer[word] >> place;
      if (place > 12 && word + 1 < kWords) bits |= integer[word + 1] << (64 - place);
      result[i] = bits & kMask;
    }
    return result;
  }
  static constexpr Limbs<kLimbs> kModulus = split(Element::kModulus);

  static constexpr Limbs<kLimbs> modulus_times(u64 multiple) {
    Limbs<kLimbs> result{};
    u64 carry = 0;
    for (std::size_t i = 0; i < kLimbs; ++i) {
      const u64 limb = kModulus[i] * multiple + carry;
      result[i] = limb & kMask;
      carry = limb >> 52;
    }
    return result;
  }

  /// -1 / m modulo 2^52, by Newton's iteration.
  static constexpr u64 negative_inverse() {
    u64 inverse = 1;
    for (int i = 0; i < 6; ++i) inverse *= 2 - kModulus[0] * inverse;
    return (0 - inverse) & kMask;
  }

  /// R' / R: what brings an element into the form of a factor.
  static constexpr Element radix_ratio() { return Element::from_u64(u64{1} << (52 * kLimbs - 64 * kWords)); }

  static __m512i limb_of(const Factor& y, std::size_t i) { return broadcast(y.limb[i]); }
  static __m512i limb_of(const IfmaLanes& y, std::size_t i) { return y.limb_[i]; }

  template <class Y>
  static IfmaLanes product(const IfmaLanes& x, const Y& factor) {
    const __m512i inverse = broadcast(negative_inverse());
    IfmaLanes sum = zero();
    __m512i* const t = sum.limb_;
    CUZK_UNROLL for (std::size_t i = 0; i < kLimbs; ++i) {
      const __m512i y = limb_of(factor, i);
      CUZK_UNROLL for (std::size_t j = 0; j < kLimbs; ++j) t[j] = _mm512_madd52lo_epu64(t[j], x.limb_[j], y);
      const __m512i q = _mm512_madd52lo_epu64(_mm512_setzero_si512(), t[0], inverse);
      CUZK_UNROLL for (std::size_t j = 0; j < kLimbs; ++j) {
        t[j] = _mm512_madd52lo_epu64(t[j], q, broadcast(kModulus[j]));
      }
      const __m512i carry = _mm512_srli_epi64(t[0], 52);
      CUZK_UNROLL for (std::size_t j = 0; j < kLimbs; ++j) {
        const __m512i next = j + 1 < kLimbs ? t[j + 1] : _mm512_setzero_si512();
        t[j] = _mm512_madd52hi_epu64(next, x.limb_[j], y);
      }
      CUZK_UNROLL for (std::size_t j = 0; j < kLimbs; ++j) {
        t[j] = _mm512_madd52hi_epu64(t[j], q, broadcast(kModulus[j]));
      }
      t[0] = _mm512_add_epi64(t[0], carry);
    }
    return sum;
  }

  /// value / m rounded down, or one less: from the upper bits alone.
  __m512i quotient_by_modulus() const {
    constexpr u64 top = kModulus[kLimbs - 1];
    constexpr unsigned shift = std::bit_width(top) > 27 ? static_cast<unsigned>(std::bit_width(top)) - 27 : 0;
    constexpr unsigned precision = 31 + static_cast<unsigned>(std::bit_width(top >> shift));
    constexpr u64 reciprocal = (u64{1} << precision) / ((top >> shift) + 1);
    const __m512i upper = _mm512_srli_epi64(limb_[kLimbs - 1], shift);
    return _mm512_srli_epi64(_mm512_mul_epu32(upper, broadcast(reciprocal)), precision);
  }

  static IfmaLanes from_words(const __m512i (&words)[kWords]) {
    const __m512i mask = broadcast(kMask);
    IfmaLanes result;
    CUZK_UNROLL for (std::size_t i = 0; i < kLimbs; ++i) {
      const std::size_t word = 52 * i / 64;
      const auto place = static_cast<unsigned>(52 * i % 64);
      __m512i bits = _mm512_srli_epi64(words[word], place);
      if (place > 12 && word + 1 < kWords) {
        bits = _mm512_or_si512(bits, _mm512_slli_epi64(words[word + 1], 64 - place));
      }
      result.limb_[i] = _mm512_and_si512(bits, mask);
    }
    return result;
  }
  void to_words(__m512i (&words)[kWords]) const {
    CUZK_UNROLL for (std::size_t word = 0; word < kWords; ++word) {
      const std::size_t i = 64 * word / 52;
      const auto place = static_cast<unsigned>(64 * word % 52);
      __m512i bits = _mm512_srli_epi64(limb_[i], place);
      bits = _mm512_or_si512(bits, _mm512_slli_epi64(limb_[i + 1], 52 - place));
      if (place > 40 && i + 2 < kLimbs) {
        bits = _mm512_or_si512(bits, _mm512_slli_epi64(limb_[i + 2], 104 - place));
      }
      words[word] = bits;
    }
  }

  // Lanes hold the elements in the order 0 2 1 3 4 6 5 7, which the unpacking of pairs makes and undoes.
  template <class At>
  static void load_low_words(__m512i* words, const At& at) {
    const __m512i pair01 = load_pair(at(0), at(1)), pair23 = load_pair(at(2), at(3));
    const __m512i pair45 = load_pair(at(4), at(5)), pair67 = load_pair(at(6), at(7));
    const __m512i even0123 = _mm512_unpacklo_epi64(pair01, pair23), odd0123 = _mm512_unpackhi_epi64(pair01, pair23);
    const __m512i even4567 = _mm512_unpacklo_epi64(pair45, pair67), odd4567 = _mm512_unpackhi_epi64(pair45, pair67);
    words[0] = _mm512_shuffle_i64x2(even0123, even4567, 0x88);
    words[1] = _mm512_shuffle_i64x2(odd0123, odd4567, 0x88);
    words[2] = _mm512_shuffle_i64x2(even0123, even4567, 0xdd);
    words[3] = _mm512_shuffle_i64x2(odd0123, odd4567, 0xdd);
  }
  template <class At>
  static void store_low_words(const __m512i* words, const At& at) {
    const __m512i low0145 = _mm512_unpacklo_epi64(words[0], words[1]);
    const __m512i high0145 = _mm512_unpacklo_epi64(words[2], words[3]);
    const __m512i low2367 = _mm512_unpackhi_epi64(words[0], words[1]);
    const __m512i high2367 = _mm512_unpackhi_epi64(words[2], words[3]);
    const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const __m512i second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    store_pair(at(0), at(1), _mm512_permutex2var_epi64(low0145, first, high0145));
    store_pair(at(2), at(3), _mm512_permutex2var_epi64(low2367, first, high2367));
    store_pair(at(4), at(5), _mm512_permutex2var_epi64(low0145, second, high0145));
    store_pair(at(6), at(7), _mm512_permutex2var_epi64(low2367, second, high2367));
  }
  static __m512i load_pair(const Element* first, const Element* second) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(first));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(second));
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
  }
  static void store_pair(Element* first, Element* second, __m512i pair) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(first), _mm512_castsi512_si256(pair));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(second), _mm512_extracti64x4_epi64(pair, 1));
  }

  // Words 4 and 5 of an element of six.
  template <class At>
  static void load_high_words(__m512i* words, const At& at) {
    const __m512i quad0145 = load_high_quad(at(0), at(1), at(4), at(5));
    const __m512i quad2367 = load_high_quad(at(2), at(3), at(6), at(7));
    words[4] = _mm512_unpacklo_epi64(quad0145, quad2367);
    words[5] = _mm512_unpackhi_epi64(quad0145, quad2367);
  }
  template <class At>
  static void store_high_words(const __m512i* words, const At& at) {
    const __m512i quad0145 = _mm512_unpacklo_epi64(words[4], words[5]);
    const __m512i quad2367 = _mm512_unpackhi_epi64(words[4], words[5]);
    store_high_quad(quad0145, at(0), at(1), at(4), at(5));
    store_high_quad(quad2367, at(2), at(3), at(6), at(7));
  }
  static const __m128i* high_words(const Element* element) { return reinterpret_cast<const __m128i*>(element) + 2; }
  static __m128i* high_words(Element* element) { return reinterpret_cast<__m128i*>(element) + 2; }
  static __m512i load_high_quad(const Element* a, const Element* b, const Element* c, const Element* d) {
    __m512i quad = _mm512_castsi128_si512(_mm_loadu_si128(high_words(a)));
    quad = _mm512_inserti64x2(quad, _mm_loadu_si128(high_words(b)), 1);
    quad = _mm512_inserti64x2(quad, _mm_loadu_si128(high_words(c)), 2);
    return _mm512_inserti64x2(quad, _mm_loadu_si128(high_words(d)), 3);
  }
  static void store_high_quad(__m512i quad, Element* a, Element* b, Element* c, Element* d) {
    _mm_storeu_si128(high_words(a), _mm512_castsi512_si128(quad));
    _mm_storeu_si128(high_words(b), _mm512_extracti64x2_epi64(quad, 1));
    _mm_storeu_si128(high_words(c), _mm512_extracti64x2_epi64(quad, 2));
    _mm_storeu_si128(high_words(d), _mm512_extracti64x2_epi64(quad, 3));
  }

  __m512i limb_[kLimbs];
};

}  // namespace cuzk
