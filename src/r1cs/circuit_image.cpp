// Writing an image: the parts of all templates are strung together, one array of a kind.
#include "r1cs/circuit_image.h"

#include <cstring>

#include "base/error.h"
#include "r1cs/image_records.h"

namespace cuzk::r1cs {
namespace {

template <class T>
u32 count_of(const std::vector<T>& items) {
  if (items.size() > UINT32_MAX) throw internal_error("a circuit of {} parts of one kind", items.size());
  return static_cast<u32>(items.size());
}

/// Appends `more` and returns where it begins.
template <class T>
u32 append(std::vector<T>& items, const std::vector<T>& more) {
  const u32 first = count_of(items);
  items.insert(items.end(), more.begin(), more.end());
  return first;
}

class ImageWriter {
 public:
  explicit ImageWriter(const CircuitParts& parts) : parts_(parts) {
    for (const RecordedTemplate& form : parts.templates) add(form);
    for (const auto& scope : parts.scopes) scopes_.push_back({scope.outer, add_text(scope.name)});
    count_of(text_);
  }

  Buffer<u8> image() {
    ImageHeader header;
    header.inputs = parts_.inputs;
    header.aux = parts_.aux;
    header.gadget_constraints = parts_.gadget_constraints;
    const std::array<std::span<const u8>, kSections> sections{
        bytes_of(templates_), bytes_of(starts_), bytes_of(terms_),           bytes_of(coefficients_),
        bytes_of(allocated_), bytes_of(marks_),  bytes_of(parts_.instances), bytes_of(parts_.runs),
        bytes_of(scopes_),    bytes_of(text_)};
    u64 size = aligned(sizeof header);
    for (std::size_t i = 0; i < kSections; ++i) {
      header.sections[i] = {size, sections[i].size()};
      size += aligned(sections[i].size());
    }
    Buffer<u8> image(size);
    std::memset(image.data(), 0, size);
    std::memcpy(image.data(), &header, sizeof header);
    for (std::size_t i = 0; i < kSections; ++i)
      std::ranges::copy(sections[i], image.data() + header.sections[i].offset);
    return image;
  }

 private:
  template <class T>
  static std::span<const u8> bytes_of(const std::vector<T>& items) {
    static_assert(std::is_trivially_copyable_v<T>);
    return {reinterpret_cast<const u8*>(items.data()), items.size() * sizeof(T)};
  }

  static u64 aligned(u64 bytes) { return (bytes + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment; }

  void add(const RecordedTemplate& form) {
    TemplateRecord record{.gadget = add_text(form.gadget),
                          .externals = form.externals,
                          .own = form.own,
                          .constraints = form.constraints(),
                          .first_coefficient = append(coefficients_, form.coefficients),
                          .coefficients = count_of(form.coefficients),
                          .first_allocated = append(allocated_, form.allocated),
                          .first_mark = count_of(marks_),
                          .marks = count_of(form.marks),
                          .rows = {add(form.a), add(form.b), add(form.c)}};
    for (const auto& mark : form.marks) marks_.push_back({mark.constraint, add_text(mark.name)});
    templates_.push_back(record);
  }

  TemplateRecord::Rows add(const RecordedTemplate::Rows& rows) {
    return {append(starts_, rows.starts), append(terms_, rows.terms), count_of(rows.terms)};
  }

  TextRange add_text(const std::string& name) {
    const TextRange range{count_of(text_), static_cast<u32>(name.size())};
    text_.insert(text_.end(), name.begin(), name.end());
    return range;
  }

  const CircuitParts& parts_;
  std::vector<TemplateRecord> templates_;
  std::vector<u32> starts_, allocated_;
  std::vector<LocalTerm> terms_;
  std::vector<Fr> coefficients_;
  std::vector<Mark> marks_;
  std::vector<ScopeName> scopes_;
  std::vector<char> text_;
};

}  // namespace

Buffer<u8> write_image(const CircuitParts& parts) { return ImageWriter(parts).image(); }

}  // namespace cuzk::r1cs
