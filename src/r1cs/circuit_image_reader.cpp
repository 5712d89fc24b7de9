// Reading an image: every range and every index is checked before anything is reached through it.
#include <cstring>

#include "base/error.h"
#include "r1cs/circuit_image.h"
#include "r1cs/image_records.h"

namespace cuzk::r1cs {
namespace {

constexpr u64 kMaxVariables = u64{1} << 31;

constexpr std::array<const char*, kSections> kSectionNames{
    "templates", "starts", "terms", "coefficients", "allocated", "marks", "instances", "runs", "scopes", "text"};

class ImageReader {
 public:
  ImageReader(std::span<const u8> image, std::string_view source)
      : image_(image), source_(source), header_(read_header(image, source)) {}

  CircuitForm read() {
    form_.inputs = header_.inputs;
    form_.aux = header_.aux;
    form_.gadget_constraints = header_.gadget_constraints;
    require(header_.inputs >= 1 && header_.inputs < kMaxVariables && header_.aux < kMaxVariables,
            "{} inputs and {} auxiliary variables", header_.inputs, header_.aux);
    const auto text = section<char>(Section::text);
    form_.text = {text.data(), text.size()};
    starts_ = section<u32>(Section::starts);
    terms_ = section<LocalTerm>(Section::terms);
    coefficients_ = section<Fr>(Section::coefficients);
    allocated_ = section<u32>(Section::allocated);
    marks_ = section<Mark>(Section::marks);
    check_coefficients();
    for (const TemplateRecord& record : section<TemplateRecord>(Section::templates)) add_template(record);
    read_scopes();
    read_instances();
    return std::move(form_);
  }

 private:
  template <class... Args>
  void require(bool holds, fmt::format_string<Args...> format, Args&&... args) const {
    if (holds) return;
    throw invalid_input("{}: is no compiled circuit: {}", source_, fmt::format(format, std::forward<Args>(args)...));
  }

  template <class T>
  std::span<const T> section(Section which) const {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kSectionAlignment);
    const auto index = static_cast<std::size_t>(which);
    const ImageHeader::Extent extent = header_.sections[index];
    require(extent.offset % kSectionAlignment == 0 && extent.offset <= image_.size() &&
                extent.bytes <= image_.size() - extent.offset && extent.bytes % sizeof(T) == 0,
            "{}: {} bytes at {} of {}", kSectionNames[index], extent.bytes, extent.offset, image_.size());
    return {reinterpret_cast<const T*>(image_.data() + extent.offset), extent.bytes / sizeof(T)};
  }

  template <class T>
  std::span<const T> slice(std::span<const T> items, u32 first, u64 count, const char* what) const {
    require(first <= items.size() && count <= items.size() - first, "{} {} + {} of {}", what, first, count,
            items.size());
    return items.subspan(first, count);
  }

  std::string_view name(TextRange range) const {
    require(range.first <= form_.text.size() && range.length <= form_.text.size() - range.first, "text {} + {} of {}",
            range.first, range.length, form_.text.size());
    return form_.name(range);
  }

  void check_coefficients() const {
    for (const Fr& value : coefficients_) {
      require(less(value.montgomery_form(), Fr::kModulus) && !value.is_zero(), "coefficient {} is out of range",
              &value - coefficients_.data());
    }
  }

  void add_template(const TemplateRecord& record) {
    require(u64{1} + record.externals + record.own < kMaxVariables, "template {}: {} + {} variables",
            form_.templates.size(), record.externals, record.own);
    Template form{.gadget = name(record.gadget),
                  .externals = record.externals,
                  .own = record.own,
                  .a = {},
                  .b = {},
                  .c = {},
                  .coefficients = slice(coefficients_, record.first_coefficient, record.coefficients, "coefficients"),
                  .allocated = slice(allocated_, record.first_allocated, record.constraints, "allocated"),
                  .marks = slice(marks_, record.first_mark, record.marks, "marks")};
    form.a = rows(record, record.rows[0], form);
    form.b = rows(record, record.rows[1], form);
    form.c = rows(record, record.rows[2], form);
    for (const u32 count : form.allocated) require(count <= form.own, "{} variables of {}", count, form.own);
    for (const Mark& mark : form.marks) name(mark.name);
    form_.templates.push_back(form);
  }

  SparseRows rows(const TemplateRecord& record, const TemplateRecord::Rows& place, const Template& form) const {
    const SparseRows rows{slice(starts_, place.first_start, u64{record.constraints} + 1, "starts"),
                          slice(terms_, place.first_term, place.terms, "terms")};
    require(rows.starts.front() == 0 && rows.starts.back() == rows.terms.size(),
            "template {}: rows from {} to {} of {}", form_.templates.size(), rows.starts.front(), rows.starts.back(),
            rows.terms.size());
    for (std::size_t j = 0; j + 1 < rows.starts.size(); ++j) {
      require(rows.starts[j] <= rows.starts[j + 1], "template {}: row {} ends before it starts", form_.templates.size(),
              j);
    }
    const u32 locals = form.locals();
    const std::size_t coefficients = form.coefficients.size();
    for (const LocalTerm& term : rows.terms) {
      require(term.local < locals && term.coefficient < coefficients,
              "template {}: variable {} of {}, coefficient {} of {}", form_.templates.size(), term.local, locals,
              term.coefficient, coefficients);
    }
    return rows;
  }

  void read_scopes() {
    form_.scopes = section<ScopeName>(Section::scopes);
    for (std::size_t i = 0; i < form_.scopes.size(); ++i) {
      require(form_.scopes[i].outer < i || i == 0, "scope {} inside {}", i, form_.scopes[i].outer);
      name(form_.scopes[i].name);
    }
  }

  void read_instances() {
    form_.instances = section<Instance>(Section::instances);
    form_.runs = section<VariableRun>(Section::runs);
    for (const VariableRun& run : form_.runs) {
      const u32 variables = run.first.is_input() ? header_.inputs : header_.aux;
      require(u64{run.first.index()} + run.count <= variables, "run {}: {} + {} of {} variables",
              &run - form_.runs.data(), run.first.index(), run.count, variables);
    }
    u64 constraints = 0;
    for (const Instance& instance : form_.instances) {
      check(instance, constraints);
      constraints += form_.templates[instance.template_index].constraints();
    }
    require(constraints == header_.gadget_constraints, "{} constraints, the header says {}", constraints,
            header_.gadget_constraints);
  }

  void check(const Instance& instance, u64 constraints) const {
    const auto index = &instance - form_.instances.data();
    require(instance.template_index < form_.templates.size(), "instance {}: template {} of {}", index,
            instance.template_index, form_.templates.size());
    const Template& form = form_.templates[instance.template_index];
    require(u64{instance.first_aux} + form.own <= header_.aux, "instance {}: {} + {} of {} variables", index,
            instance.first_aux, form.own, header_.aux);
    require(instance.first_constraint == constraints, "instance {}: constraint {} instead of {}", index,
            instance.first_constraint, constraints);
    require(instance.inputs <= header_.inputs && instance.scope < form_.scopes.size(),
            "instance {}: {} inputs, scope {}", index, instance.inputs, instance.scope);
    u64 externals = 0;
    for (const VariableRun& run : slice(form_.runs, instance.first_run, instance.runs, "runs")) externals += run.count;
    require(externals == form.externals, "instance {}: {} variables come in, its template has {}", index, externals,
            form.externals);
  }

  std::span<const u8> image_;
  std::string_view source_;
  ImageHeader header_;
  CircuitForm form_;
  std::span<const u32> starts_, allocated_;
  std::span<const LocalTerm> terms_;
  std::span<const Fr> coefficients_;
  std::span<const Mark> marks_;
};

}  // namespace

ImageHeader read_header(std::span<const u8> image, std::string_view source) {
  ImageHeader header;
  const ImageHeader expected;
  if (image.size() < sizeof header) throw invalid_input("{}: {} bytes are no compiled circuit", source, image.size());
  std::memcpy(&header, image.data(), sizeof header);
  if (header.magic != expected.magic) throw invalid_input("{}: is no compiled circuit", source);
  if (header.byte_order != expected.byte_order)
    throw invalid_input("{}: a compiled circuit in another byte order", source);
  if (header.version != expected.version) {
    throw invalid_input("{}: a compiled circuit of version {}, expected {}", source, header.version, expected.version);
  }
  return header;
}

CircuitForm read_image(std::span<const u8> image, std::string_view source) { return ImageReader(image, source).read(); }

}  // namespace cuzk::r1cs
