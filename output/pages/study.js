// The plots of a study's page. Everything they show is in the element #data: see output/study/study_json.hpp.
(function () {
  'use strict';
  const study = JSON.parse(document.getElementById('data').textContent);
  const find = (selector, from) => (from || document).querySelector(selector);
  const all = (selector, from) => [...(from || document).querySelectorAll(selector)];

  function make(tag, attributes, ...children) {
    const e = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith('on')) e.addEventListener(name.slice(2), value);
      else if (value !== false && value !== null) e.setAttribute(name, value === true ? '' : value);
    }
    e.append(...children);
    return e;
  }

  // ---- words for numbers

  const digits = (v, n) => String(Number(v.toPrecision(n || 3)));
  function scaled(v, units) {
    for (const [factor, unit] of units) if (Math.abs(v) >= factor) return digits(v / factor) + ' ' + unit;
    const [factor, unit] = units[units.length - 1];
    return digits(v / factor) + ' ' + unit;
  }
  const words = {
    seconds: (v) => v === 0 ? '0 s' : scaled(v, [[60, 'min'], [1, 's'], [1e-3, 'ms'], [1e-6, 'µs'], [1e-9, 'ns']]),
    bytes: (v) => scaled(v, [[1e12, 'TB'], [1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'bytes']]),
    share: (v) => digits(100 * v) + ' %',
    count: (v) => v >= 1e6 ? scaled(v, [[1e9, 'G'], [1e6, 'M']]) : digits(v, 6),
    plain: (v) => Math.abs(v) >= 1e-3 && Math.abs(v) < 1e5 || v === 0 ? digits(v) : v.toExponential(0 === v % 1 ? 0 : 1).replace('e+', 'e'),
    power: (v) => { const [m, e] = v.toExponential(1).split('e'); return m.replace('.0', '') + (e === '+0' ? '' : 'e' + Number(e)); },
  };

  // ---- the table of rows

  const column = {};
  for (const [name, c] of Object.entries(study.columns))
    column[name] = Array.isArray(c) ? (k) => c[k] : (k) => c.texts[c.at[k]];
  const rows = study.columns.step.length;
  const names = study.candidates;
  const number_of = new Map(names.map((name, k) => [name, k]));
  const point_number = new Map(study.points.map((p, k) => [p.number, k]));
  const candidate_of = (k) => number_of.get(column.candidate(k));
  const rows_of = new Map();  // by point and step
  for (let k = 0; k < rows; ++k) {
    const key = point_number.get(column.point(k)) + ':' + column.step(k);
    if (!rows_of.has(key)) rows_of.set(key, []);
    rows_of.get(key).push(k);
  }
  const steps_of = (point) => [...rows_of.keys()].filter((key) => key.startsWith(point + ':')).map((key) => Number(key.split(':')[1])).sort((a, b) => a - b);
  const grid_of = (p) => p.cells[0] + ' × ' + p.cells[1];
  const grids = [...new Set(study.points.map(grid_of))];
  const point_name = (p) => 'Courant ' + digits(p.courant, 4) + (grids.length > 1 ? ', ' + grid_of(p) + ' cells' : '');
  const point_options = study.points.map((p, k) => [String(k), point_name(p)]);

  // ---- which curves are shown: the same in all plots

  const few = names.length <= 10;
  const placed = (place) => study.points.map((p) => p.standings[place]).filter((s) => s && s.converged).map((s) => s.candidate);
  const best = few ? names.map((_, k) => k) : [...new Set([...placed(0), ...placed(1), ...Array(5).keys()])].slice(0, 10);
  let shown = new Set(best);
  const seen = new Set(best);  // stay in the legends when hidden
  const figures = [];
  const colour_name = (k) => '--c' + (study.looks[k] % 10);
  const dashes = [[], [7, 4], [2, 3], [9, 3, 2, 3], [14, 4]];
  const marks = ['circle', 'rect', 'triangle', 'rectRot', 'crossRot'];
  const turn = (k) => Math.floor(study.looks[k] / 10) % 5;

  function chip(k) {
    const line = '<svg width="22" height="8" aria-hidden="true"><line x1="1" y1="4" x2="21" y2="4" stroke="currentColor" stroke-width="3" stroke-dasharray="' +
      dashes[turn(k)].join(' ') + '"/></svg>';
    const b = make('button', {type: 'button', class: 'chip', 'aria-pressed': String(shown.has(k)), style: '--c: var(' + colour_name(k) + ')', 'data-candidate': k,
      onclick: () => show(new Set(shown.has(k) ? [...shown].filter((o) => o !== k) : [...shown, k]))});
    b.innerHTML = line;
    b.append(names[k]);
    return b;
  }
  function show(set) {
    shown = set;
    for (const k of shown) seen.add(k);
    draw_panel();
    for (const f of figures) f.draw();
  }
  function draw_panel() {
    const panel = find('#curves');
    if (!panel) return;
    find('summary', panel).textContent = 'Curves: ' + shown.size + ' of ' + names.length + ' shown in all plots';
    const button = (text, set) => make('button', {type: 'button', onclick: () => show(new Set(set))}, text);
    find('.chips', panel).replaceChildren(
      ...(few ? [] : [button('the best', best)]), button('all', names.keys()), button('none', []), ...names.map((_, k) => chip(k)));
  }

  // ---- axes

  const theme = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function axis(title, values, log, word, exact) {
    const known = values.filter((v) => v !== null && Number.isFinite(v) && (!log || v > 0));
    let low = Math.min(...known), high = Math.max(...known);
    if (!known.length) [low, high] = [1, 10];
    const scale = {
      type: log ? 'logarithmic' : 'linear',
      title: {display: true, text: title, color: theme('--faint')},
      grid: {color: theme('--line'), drawBorder: false, lineWidth: .7},
      ticks: {color: theme('--faint'), maxRotation: 0, autoSkip: true, autoSkipPadding: 10, callback: word},
    };
    if (exact) {  // the values that there are, and no others
      const room = log ? Math.max(1.08, (high / low) ** .04) : Math.max((high - low) * .04, high * .02);
      scale.min = log ? low / room : low - room;
      scale.max = log ? high * room : high + room;
      scale.afterBuildTicks = (a) => { a.ticks = exact.map((value) => ({value})); };
      scale.ticks.callback = word;
    } else if (log) {
      const room = Math.max(1.15, (high / low) ** .04);
      scale.min = low / room;
      scale.max = high * room;
      const decades = Math.log10(scale.max / scale.min);
      const every = Math.max(1, Math.ceil(decades / 8));
      const factors = decades < .7 ? [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8] : decades < 1.6 ? [1, 2, 3, 5] : decades < 3 ? [1, 3] : [1];
      scale.afterBuildTicks = (a) => {
        a.ticks = [];
        for (let e = Math.floor(Math.log10(scale.min)); e <= Math.ceil(Math.log10(scale.max)); ++e)
          if (e % every === 0)
            for (const f of factors) {
              const value = Number(f + 'e' + e);
              if (value >= scale.min && value <= scale.max) a.ticks.push({value});
            }
      };
    } else {
      scale.min = Math.min(0, low);
      scale.max = high > 0 ? high * 1.05 : 1;
      scale.ticks.maxTicksLimit = 8;
      // the limit of the axis is no number to write
      scale.ticks.callback = (v) => v > high && high > 0 && v === scale.max ? '' : word(v);
    }
    return scale;
  }

  function curve(k, data, thin) {
    const colour = theme(colour_name(k));
    return {label: names[k], data, candidate: k, borderColor: colour, backgroundColor: colour, borderWidth: thin ? 1.6 : 2, borderDash: dashes[turn(k)],
      pointStyle: marks[turn(k)], pointRadius: thin ? 0 : 3.5, pointHoverRadius: 5, pointHitRadius: 6};
  }

  // ---- a plot with its controls

  // controls: [key, label, [[value, text], ...]] for a choice, [key, label, true or false] for a switch.
  // build(state) gives {datasets, x, y, caption, bars, mode, x_word, y_word}.
  function figure(id, controls, build) {
    const section = find('#' + id);
    if (!section) return;
    const state = {};
    const bar = make('div', {class: 'controls'});
    for (const [key, label, values, first] of controls) {
      if (Array.isArray(values)) {
        state[key] = first ?? values[0][0];
        if (values.length < 2) continue;
        const select = make('select', {name: key, onchange: (e) => { state[key] = e.target.value; draw(); }},
          ...values.map(([value, text]) => make('option', {value, selected: value === state[key]}, text)));
        bar.append(make('label', {}, label, select));
      } else {
        state[key] = values;
        bar.append(make('label', {}, make('input', {type: 'checkbox', name: key, checked: values, onchange: (e) => { state[key] = e.target.checked; draw(); }}), label));
      }
    }
    const canvas = make('canvas', {role: 'img'});
    const plot = make('div', {class: 'plot'}, canvas);
    const legend = make('div', {class: 'chips'});
    const caption = make('figcaption', {});
    section.append(bar, make('figure', {}, caption, plot, legend));
    let chart = null;

    function draw() {
      const d = build(state);
      if (chart) chart.destroy();
      caption.textContent = d.caption;
      canvas.setAttribute('aria-label', d.caption);
      if (d.bars) plot.style.height = 5.5 + 1.55 * d.bars + 'rem';
      const ink = theme('--ink');
      chart = new Chart(canvas, {
        type: d.bars ? 'bar' : 'line',
        data: {labels: d.labels, datasets: d.datasets},
        options: {
          animation: false,
          responsive: true,
          maintainAspectRatio: false,
          normalized: true,
          indexAxis: d.bars ? 'y' : 'x',
          interaction: {mode: d.mode, axis: d.bars ? 'y' : 'xy', intersect: false},
          scales: {x: d.x, y: d.y},
          plugins: {
            legend: {display: false},
            tooltip: {
              backgroundColor: theme('--soft'), titleColor: ink, bodyColor: ink, borderColor: theme('--line'), borderWidth: 1, padding: 8, boxPadding: 4,
              usePointStyle: !d.bars,
              itemSort: d.bars ? undefined : (a, b) => a.parsed.y - b.parsed.y,
              // the dozen least of those at one place; a line that is no candidate has nothing to say
              filter: (item, k, items) => d.bars || (item.dataset.candidate !== undefined && items.filter((o) => o.parsed.y < item.parsed.y).length < 12),
              callbacks: {
                title: (items) => items.length ? d.title(items[0]) : '',
                label: (item) => d.bars ? d.y_word(item.parsed.x) : ' ' + item.dataset.label + ': ' + d.y_word(item.parsed.y),
              },
            },
          },
        },
      });
      const there = new Set(d.there);
      legend.replaceChildren(...(d.bars ? [] : [...seen].sort((a, b) => a - b).filter((k) => there.has(k)).map(chip)));
    }
    figures.push({draw, resize: (w) => chart && chart.resize(w, plot.clientHeight || 400), release: () => chart && chart.resize()});
    draw();
  }

  const drawn = (there) => there.filter((k) => shown.has(k));
  const nothing = (text, there) => there.length && !drawn(there).length ? 'No curve is chosen. ' + text : text;
  const values_of = (datasets, key) => datasets.flatMap((d) => d.data.map((p) => p[key])).filter((v) => v !== null);

  // ---- time against Courant number, and against size

  const standing_of = study.points.map((p) => new Map(p.standings.map((s) => [s.candidate, s])));
  const measures = {
    solve: ['time of a solve', (s) => s.seconds, 'seconds'],
    simulated: ['time for a second of simulated time', (s, p) => s.seconds / p.dt, 'seconds'],
    iterations: ['iterations of a solve', (s) => s.iterations, 'count'],
    'set-up': ['time of the set-up', (s) => s.setup_seconds, 'seconds'],
    cell: ['time of a solve by cells', (s, p) => s.seconds / (p.cells[0] * p.cells[1]), 'seconds'],
    memory: ['memory', (s) => s.memory_bytes, 'bytes'],
  };
  const choices = (...keys) => keys.map((key) => [key, measures[key][0]]);

  // One curve a candidate over these points; a point where it does not converge is a gap.
  function over_points(points, x_of, measure, log) {
    const there = names.map((_, k) => k).filter((k) => points.some((p) => { const s = standing_of[p].get(k); return s && s.converged; }));
    return {
      there,
      datasets: drawn(there).map((k) => curve(k, points.map((p) => {
        const s = standing_of[p].get(k), v = s && s.converged ? measures[measure][1](s, study.points[p]) : null;
        return {x: x_of(study.points[p]), y: v === undefined || v === null || (log && v <= 0) ? null : v};
      }))),
    };
  }

  figure('by-courant', [
    ['grid', 'Cells', grids.map((g) => [g, g]), grids[grids.length - 1]],
    ['measure', 'Show', choices('solve', 'simulated', 'iterations', 'set-up')],
    ['x', 'against', [['courant', 'Courant number'], ['dt', 'time step']]],
    ['log_x', 'logarithmic x', true], ['log_y', 'logarithmic y', true],
  ], (s) => {
    const points = study.points.map((_, k) => k).filter((k) => grid_of(study.points[k]) === s.grid).sort((a, b) => study.points[a].courant - study.points[b].courant);
    const x_of = (p) => s.x === 'dt' ? p.dt : p.courant;
    const x_word = s.x === 'dt' ? words.seconds : (v) => digits(v, 4);
    const {there, datasets} = over_points(points, x_of, s.measure, s.log_y);
    const [title, , word] = measures[s.measure];
    const exact = points.map((p) => x_of(study.points[p]));
    return {
      there, datasets, mode: 'index', y_word: words[word],
      x: axis(s.x === 'dt' ? 'time step' : 'Courant number', exact, s.log_x, x_word, exact),
      y: axis(title, values_of(datasets, 'y'), s.log_y, words[word]),
      title: (item) => (s.x === 'dt' ? 'time step ' : 'Courant ') + x_word(item.parsed.x),
      caption: nothing('The ' + title + ' against the ' + (s.x === 'dt' ? 'time step' : 'Courant number') + ', on ' + s.grid +
        ' cells; means of the steps that were looked at. A candidate that failed there has a gap.', there),
    };
  });

  const courants = [];
  for (const p of study.points)
    if (!courants.some((c) => Math.abs(c - p.courant) < .02 * c)) courants.push(p.courant);
  courants.sort((a, b) => a - b);
  figure('by-size', [
    ['courant', 'Courant number', courants.map((c) => [String(c), digits(c, 4)])],
    ['measure', 'Show', choices('solve', 'cell', 'iterations', 'set-up', 'memory')],
    ['log_x', 'logarithmic x', true], ['log_y', 'logarithmic y', true],
  ], (s) => {
    const size = (p) => p.cells[0] * p.cells[1];
    const points = study.points.map((_, k) => k).filter((k) => Math.abs(study.points[k].courant - s.courant) < .02 * s.courant)
      .sort((a, b) => size(study.points[a]) - size(study.points[b]));
    const {there, datasets} = over_points(points, size, s.measure, s.log_y);
    const [title, , word] = measures[s.measure];
    const exact = points.map((p) => size(study.points[p]));
    const name = new Map(points.map((p) => [size(study.points[p]), grid_of(study.points[p])]));
    return {
      there, datasets, mode: 'index', y_word: words[word],
      x: axis('cells', exact, s.log_x, (v) => name.get(v) || '', exact),
      y: axis(title, values_of(datasets, 'y'), s.log_y, words[word]),
      title: (item) => name.get(item.parsed.x) + ' cells',
      caption: nothing('The ' + title + ' against the number of cells at Courant ' + digits(Number(s.courant), 4) + '.', there),
    };
  });

  // ---- over the steps of a run

  const over_steps = {
    solve: ['time of a solve', 'solve_seconds', 'seconds'],
    iterations: ['iterations of a solve', 'iterations', 'count'],
    residual: ['true residual, 2-norm', 'residual_2', 'plain'],
    error: ['error against the run, 2-norm', 'error_2', 'plain'],
  };
  figure('by-step', [
    ['point', 'At', point_options],
    ['measure', 'Show', Object.entries(over_steps).map(([key, [text]]) => [key, text])],
    ['log_x', 'logarithmic x', false], ['log_y', 'logarithmic y', true],
  ], (s) => {
    const steps = steps_of(s.point), [title, name, word] = over_steps[s.measure];
    const value = new Map();
    for (const step of steps)
      for (const k of rows_of.get(s.point + ':' + step)) value.set(candidate_of(k) + ':' + step, column.status(k) === 'converged' ? column[name](k) : null);
    const known = (v) => v !== undefined && v !== null && (!s.log_y || v > 0);
    const there = names.map((_, k) => k).filter((k) => steps.some((step) => known(value.get(k + ':' + step))));
    const datasets = drawn(there).map((k) => curve(k, steps.map((step) => {
      const v = value.get(k + ':' + step);
      return {x: step, y: known(v) ? v : null};
    })));
    return {
      there, datasets, mode: 'index', y_word: words[word],
      x: axis('step of the run', steps, s.log_x, words.count, steps),
      y: axis(title, values_of(datasets, 'y'), s.log_y, words[word]),
      title: (item) => 'step ' + item.parsed.x,
      caption: nothing('The ' + title + ' at each step that was looked at; ' + point_name(study.points[s.point]) + '.', there),
    };
  });

  // ---- residuals

  // The steps differ from point to point: all of them are offered, and the nearest that there is is taken.
  const all_steps = [...new Set(study.points.flatMap((_, p) => steps_of(p)))].sort((a, b) => a - b);
  figure('residuals', [
    ['point', 'At', point_options, String(study.points.length - 1)],  // the largest Courant number: the longest curves
    ['step', 'step', all_steps.map((n) => [String(n), String(n)])],
    ['x', 'against', [['iterations', 'iterations'], ['time', 'time']]],
    ['log_x', 'logarithmic x', false], ['log_y', 'logarithmic y', true],
  ], (s) => {
    const steps = steps_of(s.point);
    const step = steps.reduce((a, b) => Math.abs(b - s.step) < Math.abs(a - s.step) ? b : a);
    const list = rows_of.get(s.point + ':' + step).filter((k) => study.histories.values[k].length > 0);
    const of = new Map(list.map((k) => [candidate_of(k), k]));
    const there = [...of.keys()].sort((a, b) => a - b);
    const datasets = drawn(there).map((k) => {
      const row = of.get(k), values = study.histories.values[row], stride = study.histories.stride[row], last = column.iterations(row);
      const at = (n) => Math.min(n * stride, last);
      const unit = s.x === 'time' ? (column.solve_seconds(row) || 0) / Math.max(1, last) : 1;
      const data = values.map((v, n) => ({x: at(n) * unit, y: v === null || (s.log_y && v <= 0) ? null : v}));
      const c = curve(k, s.log_x ? data.slice(1) : data, true);
      if (c.data.length < 3) c.pointRadius = 3;
      return c;
    });
    const tolerances = [...new Set(drawn(there).map((k) => column.tolerance(of.get(k))))];
    const x_values = values_of(datasets, 'x'), y_values = values_of(datasets, 'y');
    const ends = s.log_x ? [Math.min(...x_values), Math.max(...x_values)] : [0, Math.max(0, ...x_values)];
    if (x_values.length && tolerances.length === 1)
      datasets.push({label: 'tolerance', data: ends.map((x) => ({x, y: tolerances[0]})), borderColor: theme('--faint'), borderWidth: 1, borderDash: [3, 3], pointRadius: 0,
        pointHitRadius: 0, pointHoverRadius: 0});
    const x_word = s.x === 'time' ? words.seconds : words.count;
    return {
      there, datasets, mode: 'nearest', y_word: words.plain,
      x: axis(s.x === 'time' ? 'time of the solve' : 'iterations', x_values, s.log_x, x_word),
      y: axis('relative residual', y_values.concat(tolerances), s.log_y, s.log_y ? words.power : words.plain),
      title: (item) => s.x === 'time' ? x_word(item.parsed.x) : 'after ' + x_word(item.parsed.x) + ' iterations',
      caption: nothing('The residual of each method as it judges itself, in the norm of its tolerance (dotted line); ' + point_name(study.points[s.point]) + ', step ' + step +
        (s.x === 'time' ? '; the time of a solve is spread evenly over its iterations' : '') + '.', there),
    };
  });

  // ---- memory and what else there is one number of

  const bars = {
    memory: ['memory', (s) => s.memory_bytes, 'bytes', ' of matrix, method and preconditioner, as they asked for it'],
    solve: ['time of a solve', (s) => s.seconds, 'seconds'],
    'set-up': ['time of the set-up', (s) => s.setup_seconds, 'seconds'],
    share: ['share of bandwidth', (s) => s.bandwidth_share, 'share', ': bytes moved in a second, by those of a plain copy'],
  };
  figure('memory', [
    ['point', 'At', point_options],
    ['measure', 'Show', Object.entries(bars).map(([key, [text]]) => [key, text])],
    ['log_x', 'logarithmic', false],
  ], (s) => {
    const [title, value, word, more] = bars[s.measure];
    const standings = study.points[s.point].standings;
    const has = standings.filter((o) => { const v = value(o); return v !== null && v !== undefined && (!s.log_x || v > 0); });
    const list = has.filter((o) => shown.has(o.candidate)).sort((a, b) => value(a) - value(b));
    const there = has.map((o) => o.candidate);
    const scale = axis(title, list.map(value), s.log_x, words[word]);
    if (s.log_x) scale.min /= 2;  // a bar for the least as well
    return {
      there, mode: 'nearest', bars: Math.max(1, list.length), y_word: words[word],
      labels: list.map((o) => names[o.candidate]),
      datasets: [{data: list.map(value), backgroundColor: list.map((o) => theme(colour_name(o.candidate))), maxBarThickness: 18}],
      x: scale,
      y: {grid: {display: false}, ticks: {color: theme('--ink'), autoSkip: false,
        callback(v) { const t = this.getLabelForValue(v), most = innerWidth < 640 ? 18 : 40; return t.length > most ? t.slice(0, most - 1) + '…' : t; }}},
      title: (item) => item.label,
      caption: nothing('The ' + title + (more || '') + '; ' + point_name(study.points[s.point]) + '.', there),
    };
  });

  draw_panel();

  // ---- tables, copying, saving

  for (const table of all('table.sortable'))
    [...table.tHead.rows[table.tHead.rows.length - 1].cells].forEach((head, at) => head.addEventListener('click', () => {
      const up = head.getAttribute('aria-sort') !== 'ascending';
      all('thead th', table).forEach((o) => o.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      const key = (row) => { const c = row.cells[at]; return !c ? null : c.dataset.v === undefined ? c.textContent : Number(c.dataset.v); };
      const body = table.tBodies[0];
      const sorted = [...body.rows].sort((a, b) => {
        const x = key(a), y = key(b);
        if (x === null || y === null) return (x === null) - (y === null);  // what has no number stays below
        if (typeof x !== typeof y) return typeof x === 'number' ? -1 : 1;
        return (up ? 1 : -1) * (typeof x === 'number' ? x - y : x.localeCompare(y));
      });
      body.append(...sorted);
    }));

  for (const box of all('.copyable'))
    if (navigator.clipboard)
      box.append(make('button', {type: 'button', onclick: (e) => navigator.clipboard.writeText(find('pre', box).textContent).then(() => { e.target.textContent = 'copied'; })}, 'copy'));

  const save = find('#save');
  if (save) {
    const quoted = (v) => v === null || v === undefined ? '' : /[",\n]/.test(v) ? '"' + String(v).replace(/"/g, '""') + '"' : String(v);
    const heads = Object.keys(study.columns);
    save.append(make('button', {type: 'button', onclick: () => {
      const lines = [heads.join(',')];
      for (let k = 0; k < rows; ++k) lines.push(heads.map((name) => quoted(column[name](k))).join(','));
      const link = make('a', {href: URL.createObjectURL(new Blob([lines.join('\n') + '\n'], {type: 'text/csv'})), download: study.name + '_study.csv'});
      link.click();
    }}, 'Save all rows as CSV'));
  }

  // ---- dark and light, paper

  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => figures.forEach((f) => f.draw()));
  addEventListener('beforeprint', () => {
    document.documentElement.classList.add('printing');
    for (const d of all('details:not([open])')) { d.open = true; d.dataset.closed = ''; }
    for (const f of figures) { f.draw(); f.resize(680); }
  });
  addEventListener('afterprint', () => {
    document.documentElement.classList.remove('printing');
    for (const d of all('details[data-closed]')) { d.open = false; delete d.dataset.closed; }
    for (const f of figures) { f.draw(); f.release(); }
  });
})();
