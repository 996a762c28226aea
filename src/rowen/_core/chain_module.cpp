#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string_view>
#include <tuple>

#include "chain.hpp"
#include "chain_training.hpp"
#include "columns.hpp"
#include "native.hpp"

namespace nb = nanobind;

namespace rowen {
namespace {

using Table =
    nb::ndarray<const std::uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Square = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Given_templates = std::vector<std::vector<std::pair<std::uint32_t, std::int32_t>>>;

template <typename Value>
std::vector<Value> copied(const Given<Value>& given) {
    return {given.data(), given.data() + given.shape(0)};
}

chain::Templates templates_of(const Given_templates& given) {
    std::vector<std::vector<chain::Part>> templates;
    for (const auto& parts : given) {
        templates.emplace_back();
        for (const auto& [column, offset] : parts) {
            templates.back().push_back({column, offset});
        }
    }
    return chain::Templates(std::move(templates));
}

chain::Rows rows_of(const Table& table, const chain::Templates& templates) {
    if (table.shape(0) > 0 && table.shape(1) < templates.columns()) {
        throw nb::value_error("a template refers to a column that the rows don't have");
    }
    return {table.data(), table.shape(0), table.shape(1)};
}

chain::Weights weights_of(Given<std::uint64_t> keys, Given<std::uint32_t> starts,
                          Given<std::uint8_t> labels, Given<float> weights, Square transitions) {
    const std::size_t count = transitions.shape(0);
    bool fits = count > 0 && count <= 256 && transitions.shape(1) == count &&
                starts.shape(0) == keys.shape(0) + 1 && labels.shape(0) == weights.shape(0) &&
                starts.data()[0] == 0 && starts.data()[keys.shape(0)] == labels.shape(0);
    for (std::size_t i = 0; fits && i < keys.shape(0); ++i) {
        fits = starts.data()[i] <= starts.data()[i + 1];
    }
    for (std::size_t i = 0; fits && i < labels.shape(0); ++i) {
        fits = labels.data()[i] < count;
    }
    if (!fits) {
        throw nb::value_error("the parts of a model don't fit together");
    }
    const float* const steps = transitions.data();
    return {copied(keys), copied(starts), copied(labels), copied(weights),
            std::vector<float>(steps, steps + count * count), count};
}

Column<std::uint8_t> label(const chain::LinearChainCRF& model, Table table) {
    const chain::Rows rows = rows_of(table, model.templates());
    std::vector<std::uint8_t> labels;
    {
        nb::gil_scoped_release unlocked;
        labels = model.label(rows);
    }
    return column(std::move(labels));
}

std::pair<Column<std::uint8_t>, Column<float>> label_surely(const chain::LinearChainCRF& model,
                                                            Table table,
                                                            Given<std::uint8_t> groups) {
    const chain::Rows rows = rows_of(table, model.templates());
    if (groups.shape(0) != model.label_count()) {
        throw nb::value_error("each label needs a group");
    }
    chain::Labelling labelling;
    {
        nb::gil_scoped_release unlocked;
        labelling = model.label_surely(rows, groups.data());
    }
    return {column(std::move(labelling.labels)), column(std::move(labelling.probabilities))};
}

void add_sequence(chain::Trainer& trainer, Table table, Given<std::uint8_t> labels) {
    const chain::Rows rows = rows_of(table, trainer.templates());
    bool fits = labels.shape(0) == rows.count;
    for (std::size_t i = 0; fits && i < rows.count; ++i) {
        fits = labels.data()[i] < trainer.label_count();
    }
    if (!fits) {
        throw nb::value_error("each row needs one of the labels");
    }
    trainer.add(rows, labels.data());
}

using Given_weights = std::tuple<Given<std::uint64_t>, Given<std::uint32_t>, Given<std::uint8_t>,
                                 Given<float>, Square>;

void prepare(chain::Trainer& trainer, std::uint32_t seen, float never,
             std::optional<Given_weights> given) {
    if (trainer.prepared()) {
        throw nb::value_error("the trainer is prepared already");
    }
    std::optional<chain::Weights> prior;
    if (given) {
        prior = std::apply(weights_of, *given);
        if (prior->label_count != trainer.label_count()) {
            throw nb::value_error("the prior has other labels");
        }
    }
    nb::gil_scoped_release unlocked;
    trainer.prepare(seen, prior ? &*prior : nullptr, never);
}

void run_pass(chain::Trainer& trainer, Given<std::uint32_t> order, double rate, double c2) {
    const std::vector<std::uint32_t> sequences = copied(order);
    for (const std::uint32_t sequence : sequences) {
        if (sequence >= trainer.size()) {
            throw nb::value_error("no such sequence");
        }
    }
    if (!trainer.prepared()) {
        throw nb::value_error("prepare the trainer first");
    }
    nb::gil_scoped_release unlocked;
    trainer.pass(sequences, rate, c2);
}

double loss(chain::Trainer& trainer, std::size_t first, std::size_t last) {
    if (!trainer.prepared() || first > last || last > trainer.size()) {
        throw nb::value_error("no such sequences, or the trainer is not prepared");
    }
    nb::gil_scoped_release unlocked;
    return trainer.loss(first, last);
}

auto trained_weights(const chain::Trainer& trainer) {
    chain::Weights weights = trainer.weights();
    return std::tuple{column(std::move(weights.keys)), column(std::move(weights.starts)),
                      column(std::move(weights.labels)), column(std::move(weights.weights)),
                      column(std::move(weights.transitions))};
}

// The keys of all templates' features, row after row: training needs exactly the keys that
// labelling looks up.
Column<std::uint64_t> feature_keys(const Given_templates& given, Table table) {
    const chain::Templates templates = templates_of(given);
    const chain::Rows rows = rows_of(table, templates);
    std::vector<std::uint64_t> keys;
    keys.reserve(rows.count * templates.size());
    for (std::size_t row = 0; row < rows.count; ++row) {
        for (std::size_t t = 0; t < templates.size(); ++t) {
            keys.push_back(templates.key(rows, row, t));
        }
    }
    return column(std::move(keys));
}

// The number of a feature's value: FNV-1a over its UTF-8 form. 0 means no value, and 1 and 2 the
// ends of the sequence, so no text gets these. Trained models hold these numbers: a change makes
// all of them useless.
std::uint64_t feature_value(nb::str text) {
    Py_ssize_t size = 0;
    const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (bytes == nullptr) {
        throw nb::python_error();
    }
    std::uint64_t hash = 0xCBF29CE484222325u;
    for (const char byte : std::string_view(bytes, static_cast<std::size_t>(size))) {
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3u;
    }
    return hash > 2 ? hash : hash + 3;
}

}  // namespace

void bind_chain(nb::module_& module) {
    nb::class_<chain::LinearChainCRF>(module, "LinearChainCRF")
        .def("__init__",
             [](chain::LinearChainCRF* self, const Given_templates& templates,
                Given<std::uint64_t> keys, Given<std::uint32_t> starts, Given<std::uint8_t> labels,
                Given<float> weights, Square transitions) {
                 new (self) chain::LinearChainCRF(
                     templates_of(templates),
                     weights_of(keys, starts, labels, weights, transitions));
             },
             nb::arg("templates"), nb::arg("keys"), nb::arg("starts"), nb::arg("labels"),
             nb::arg("weights"), nb::arg("transitions"))
        .def("label", &label, nb::arg("rows"))
        .def("label_surely", &label_surely, nb::arg("rows"), nb::arg("groups"));
    nb::class_<chain::Trainer>(module, "ChainTrainer")
        .def("__init__",
             [](chain::Trainer* self, const Given_templates& templates, std::size_t labels) {
                 if (labels == 0 || labels > 256) {
                     throw nb::value_error("a chain has 1 to 256 labels");
                 }
                 new (self) chain::Trainer(templates_of(templates), labels);
             },
             nb::arg("templates"), nb::arg("label_count"))
        .def("add", &add_sequence, nb::arg("rows"), nb::arg("labels"))
        .def("prepare", &prepare, nb::arg("seen"), nb::arg("never"), nb::arg("prior").none())
        .def("run_pass", &run_pass, nb::arg("order"), nb::arg("rate"), nb::arg("c2"))
        .def("loss", &loss, nb::arg("first"), nb::arg("last"))
        .def("weights", &trained_weights);
    module.def("feature_keys", &feature_keys, nb::arg("templates"), nb::arg("rows"));
    module.def("feature_value", &feature_value, nb::arg("text"));
}

}  // namespace rowen
