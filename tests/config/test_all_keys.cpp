// What holds for every key there is, so that a new one needs no test of its own.

#include "sim/config/suggest.hpp"
#include "sim/config/tree.hpp"
#include "tests/config/all_keys.hpp"
#include "tests/config/configs.hpp"

namespace wavesim {
namespace {

/// The word with one letter changed, left out, doubled, or swapped with the next.
std::vector<std::string> misspelled(const std::string& word) {
  std::vector<std::string> all;
  const std::size_t middle = word.size() / 2;
  std::string changed = word;
  changed[middle] = changed[middle] == 'q' ? 'z' : 'q';
  all.push_back(changed);
  all.push_back(word + word.back());
  if (word.size() > 2) all.push_back(word.substr(0, middle) + word.substr(middle + 1));
  std::string swapped = word;
  if (word.size() > 2) std::swap(swapped[middle - 1], swapped[middle]);
  if (swapped != word) all.push_back(swapped);
  return all;
}

TEST(EveryKey, IsRefusedWithASuggestionWhenOneLetterIsWrong) {
  const std::vector<KnownKey> keys = all_keys();
  ASSERT_GT(keys.size(), 150u);
  for (const KnownKey& key : keys)
    for (const std::string& word : misspelled(key.name)) {
      const std::string assignment = key.assignment(word);
      const std::string sentence = refusal_of("", {assignment});
      const std::size_t at = sentence.find("; did you mean '");
      ASSERT_NE(at, std::string::npos) << assignment << " -> " << sentence;
      EXPECT_NE(sentence.find("'" + word + "'"), std::string::npos) << assignment << " -> " << sentence;
      const std::size_t begin = at + 16, end = sentence.find('\'', begin);
      const std::string meant = sentence.substr(begin, end - begin);
      EXPECT_EQ(edit_distance(word, meant), 1) << assignment << " -> " << sentence;
      if (key.name.size() > 4) {
        EXPECT_EQ(meant, key.name) << assignment << " -> " << sentence;
      }
    }
}

TEST(EveryKey, SaysWhatItMeans) {
  for (const KnownKey& key : all_keys()) EXPECT_TRUE(key.documented) << key.section << "." << key.name;
}

/// All objects of a schema that list their properties.
void visit_objects(const Tree& t, const std::function<void(const Tree&)>& visit) {
  if (t.find("properties") && t.find("properties")->is_map() && t.find("type")) visit(t);
  for (const auto& [key, value] : t.keys) visit_objects(value, visit);
  for (const Tree& item : t.items) visit_objects(item, visit);
}

TEST(Schema, IsJsonAndRefusesUnknownKeysEverywhere) {
  const Tree schema = load_tree(config_schema(), "schema");  // JSON is YAML
  EXPECT_EQ(schema.find("$schema")->scalar, "https://json-schema.org/draft/2020-12/schema");
  int objects = 0;
  visit_objects(schema, [&](const Tree& object) {
    ++objects;
    ASSERT_TRUE(object.find("additionalProperties"));
    EXPECT_EQ(object.find("additionalProperties")->scalar, "false");
  });
  EXPECT_GT(objects, 30);
}

TEST(Schema, HoldsEveryKeyOfAConfig) {
  const Tree schema = load_tree(config_schema(), "schema");
  std::set<std::string> known;
  visit_objects(schema, [&](const Tree& object) {
    for (const auto& [key, value] : object.find("properties")->keys) known.insert(key);
  });
  for (const KnownKey& key : all_keys()) EXPECT_TRUE(known.count(key.name)) << key.section << "." << key.name;
}

/// Whether one of an object's rules is `text`, in the schema's words.
bool has_rule(const Tree& object, const std::string& text) {
  if (const Tree* const rules = object.find("allOf"))
    for (const Tree& rule : rules->items) {
      std::string words = to_json(rule);
      std::erase_if(words, [](char c) { return c == ' ' || c == '\n' || c == '"'; });
      if (words == text) return true;
    }
  return false;
}

TEST(Schema, HasTheRulesBetweenKeys) {
  const Tree schema = load_tree(config_schema(), "schema");
  const Tree& top = *schema.find("properties");
  EXPECT_TRUE(has_rule(*top.find("time"), "{not:{required:[courant,step]}}"));
  EXPECT_TRUE(has_rule(*top.find("time"), "{anyOf:[{required:[end]},{required:[steps]}]}"));
  EXPECT_TRUE(has_rule(*top.find("medium"), "{if:{required:[mass]},then:{required:[tension]}}"));
  const Tree& edges = top.find("edges")->find("oneOf")->items.front();
  EXPECT_TRUE(has_rule(edges,
                       "{if:{properties:{left:{const:periodic}},required:[left]},"
                       "then:{properties:{right:{const:periodic}},required:[right]}}"));
  const Tree& speed = *top.find("medium")->find("properties")->find("speed");
  EXPECT_EQ(speed.find("oneOf")->items.front().find("exclusiveMinimum")->scalar, "0");
}

TEST(Schema, SaysDefaultsBoundsUnitsAndChoices) {
  const Tree schema = load_tree(config_schema(), "schema");
  const auto at = [&](std::initializer_list<const char*> path) {
    const Tree* t = &schema;
    for (const char* key : path) {
      t = t->find("properties");
      if (t) t = t->find(key);
      if (!t) return Tree();
    }
    return *t;
  };
  EXPECT_EQ(at({"solver", "tolerance"}).find("default")->scalar, "1e-06");
  const Tree tolerance = at({"solver", "tolerance"});
  const auto& either = tolerance.find("oneOf")->items;
  ASSERT_EQ(either.size(), 2u);
  EXPECT_EQ(either[0].find("exclusiveMinimum")->scalar, "0");
  EXPECT_EQ(either[1].find("const")->scalar, "auto");
  EXPECT_EQ(at({"solver", "method"}).find("enum")->items.front().scalar, "cg");
  EXPECT_EQ(at({"grid", "size"}).find("description")->scalar, "length along x and y [m]");
  EXPECT_EQ(at({"grid", "size"}).find("maxItems")->scalar, "2");
  EXPECT_EQ(at({"grid"}).find("required")->items.size(), 2u);
  EXPECT_EQ(schema.find("required")->items.size(), 3u);
  for (const char* family : {"field", "signal", "shape", "edge"})
    EXPECT_TRUE(schema.find("$defs")->find(family)->find("oneOf")) << family;
}

}  // namespace
}  // namespace wavesim
