#include <algorithm>

#include "sim/config/config.hpp"
#include "sim/config/names.hpp"

namespace wavesim {

namespace {

/// The keys of a schedule stand among those of the section.
void schedule_in(Configured& section, ScheduleConfig& schedule, Section& s) {
  schedule.where = section.where;
  schedule.fields(s);
}

}  // namespace

void FieldsOutput::fields(Section& s) {
  schedule_in(*this, schedule, s);
  s("formats", formats,
    {.text = "vtkhdf: one HDF5 file, ParaView 5.12 and later; vti: a series for older ones",
     .choices = {"vtkhdf", "vti"}});
  s("quantities", quantities, {.text = "what is written", .choices = names(quantity_names())});
  s("precision", precision, {.text = "of the numbers in the file", .choices = {"single", "double"}});
  s("compression", compression, {.text = "gzip level; 0 is none and much faster", .least = 0, .most = 9});
  s("stride", stride, {.text = "each so-many-th node along x and y", .least = 1});
  s("region", region, {.text = "[x0, y0, x1, y1]; default the whole grid", .unit = "m"});
  s("layers", layers, {.text = "whether absorbing layers are written, too"});
  s("arrival-threshold", arrival_threshold,
    {.text = "|u| that counts as arrived; default 1 % of the largest initial |u|", .unit = "m", .above = 0});
}

void FieldsOutput::verify() const {
  schedule.verify();
  const auto has = [&](const char* name) {
    return std::find(quantities.begin(), quantities.end(), name) != quantities.end();
  };
  if (arrival_threshold && !has("arrival-time"))
    where.fail(
        "'arrival-threshold' belongs to the quantity arrival-time; add that to 'quantities', or remove it");
  if (quantities.size() == 1 && has("speed"))
    where.fail("'quantities' names only speed, which does not change; add displacement or another one");
  if (region && !((*region)[0] < (*region)[2] && (*region)[1] < (*region)[3]))
    where.fail("'region' is turned inside out; write the lower left corner first, [x0, y0, x1, y1]");
}

void ShadingConfig::fields(Section& s) {
  s("strength", strength,
    {.text = "0 changes nothing, 1 makes slopes that face away from the light black", .least = 0, .most = 1});
  s("relief", relief,
    {.text = "how high the value 'range' stands", .unit = "picture widths", .above = 0, .most = 1});
  s("azimuth", azimuth,
    {.text = "where the light comes from, clockwise: 0 the top of the picture, 315 the upper left",
     .unit = "degrees",
     .least = 0,
     .most = 360});
  s("altitude", altitude,
    {.text = "of the light above the ground", .unit = "degrees", .least = 5, .most = 90});
}

void PicturesOutput::fields(Section& s) {
  schedule_in(*this, schedule, s);
  s("quantity", quantity,
    {.text = "what is drawn", .choices = {"displacement", "velocity", "energy-density"}});
  s("colours", colours,
    {.text = "auto is blue-red for what has a sign, else violet-yellow",
     .choices = {"auto", "blue-red", "green-purple", "violet-yellow", "black-orange", "grey"}});
  s("scale", scale,
    {.text = "one range of colours for the whole run, or one for each picture",
     .choices = {"run", "picture"}});
  s("marks", marks, {.text = "whether sources and receivers are marked"});
  s("medium", medium,
    {.text = "whether a medium that is not constant lies beneath the wave, the slowest darkest"});
  s.section("shading", shading,
            {.text = "hill shading: the field as a landscape, lit from one side",
             .shorthand = "strength",
             .optional = true});
  s("width", width, {.text = "of a picture", .unit = "pixels", .least = 64, .most = 16384});
  s("y", y, {.text = "where y points to", .choices = {"up", "down"}});
  s("range", range,
    {.text = "the colours span [-range, range]; default: what the first pictures need",
     .unit = "of the quantity",
     .above = 0});
  s("clip", clip,
    {.text = "the part of the visible pixels that may lie beyond a range that is not given, so that a single "
             "peak "
             "does not hide the rest; 0: none",
     .least = 0,
     .most = 0.5});
}

void PicturesOutput::verify() const {
  schedule.verify();
  if (range && scale == "picture")
    where.fail(
        "'range' fixes the colours of all pictures and scale: picture those of each; remove one of the two");
}

void ReceiversOutput::fields(Section& s) {
  schedule_in(*this, schedule, s);
  s("formats", formats,
    {.text = "hdf5: into the result file; csv: a table beside it", .choices = {"hdf5", "csv"}});
}

void ReceiversOutput::verify() const { schedule.verify(); }

void HistoryOutput::fields(Section& s) { schedule_in(*this, schedule, s); }

void HistoryOutput::verify() const { schedule.verify(); }

void EnergyOutput::fields(Section& s) {
  schedule_in(*this, schedule, s);
  s("balance", balance,
    {.text = "whether each step sums up the work of the sources, the losses by damping, what leaves through "
             "edges, and the work of the solve's residual"});
}

void EnergyOutput::verify() const { schedule.verify(); }

void OutputConfig::fields(Section& s) {
  s("directory", directory, {.text = "results go into directory/name, from where wavesim is started"});
  s.section("fields", *frames, {.text = "arrays over the grid; default about 100 times"});
  const auto wanted = pictures ? pictures : std::make_shared<PicturesOutput>();
  wanted->stated |= pictures != nullptr;
  s.section("pictures", *wanted,
            {.text = "PNG files of the displacement or another quantity", .optional = true});
  if (wanted->stated) pictures = wanted;
  s.section("receivers", receivers, {.text = "what the receivers record; default each step"});
  s.section("history", history,
            {.text = "iterations, residual and times of steps; default each step, with scheme: explicit "
                     "about a thousand"});
  s.section("energy", energy, {.text = "default together with fields"});
  s("buffer", buffer, {.text = "frames that may wait for the disk", .least = 1, .most = 1024});
  s("durability", durability,
    {.text =
         "what survives a power cut. frame: pictures are on the disk one by one, frames together with those "
         "that wait behind them, several times a second; end: all of them are when the run ends",
     .choices = {"frame", "end"}});
}

}  // namespace wavesim
