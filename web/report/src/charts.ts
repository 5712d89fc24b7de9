import {
  BarController, BarElement, CategoryScale, Chart, type ChartConfiguration, Filler, Legend, LinearScale, LineController,
  LineElement, LogarithmicScale, PointElement, Tooltip,
} from 'chart.js';
import { colorOf, faint } from './colors';
import { groups, type Measurement, type Series, type Stage } from './model';
import { element, show, showSize, showTick } from './text';

Chart.register(BarController, BarElement, CategoryScale, Filler, Legend, LinearScale, LineController, LineElement,
  LogarithmicScale, PointElement, Tooltip);
Chart.defaults.animation = false;
Chart.defaults.maintainAspectRatio = false;
Chart.defaults.font.family = 'system-ui, sans-serif';

/** A heading, one sentence on how to read the plot, and the plot. */
function figure(title: string, explanation: string, height: number, config: ChartConfiguration): HTMLElement {
  const canvas = element('canvas', { role: 'img', 'aria-label': title }) as HTMLCanvasElement;
  const box = element('div', { class: 'plot', style: `height:${height}px` }, canvas);
  // The canvas has a size only once it stands in the page.
  queueMicrotask(() => new Chart(canvas, config));
  return element('figure', {}, element('figcaption', {}, element('h3', {}, title), element('p', {}, explanation)), box);
}

const axis = (text: string) => ({ title: { display: true, text } });
const rowsHeight = (rows: number): number => 90 + 26 * rows;

type Bar = { x: [number, number]; y: string };
const barTip = (bar: Bar): string => `${show(bar.x[1] - bar.x[0])} ms, from ${show(bar.x[0])} to ${show(bar.x[1])}`;

/** The stages of one partition, one below the other, by their start. */
export function waterfall(stages: Stage[]): HTMLElement {
  const items = stages.flatMap(stage => (stage.item === undefined ? [] : [stage.item]));
  const first = items.length > 0 ? Math.min(...items) : undefined;
  const mine = stages.filter(stage => stage.item === undefined || stage.item === first);
  const begin = Math.min(...mine.map(stage => stage.start_ms));
  const rows = [...groups(mine, stage => stage.name).keys()];
  const data: Bar[] = mine.map(stage => ({ x: [stage.start_ms - begin, stage.start_ms + stage.ms - begin], y: stage.name }));
  return figure('Stages of one proof', 'Each stage of the first partition, from its begin to its end.', rowsHeight(rows.length), {
    type: 'bar',
    data: { labels: rows, datasets: [{ data: data as never, backgroundColor: colorOf(0), minBarLength: 2, barPercentage: 0.8 }] },
    options: {
      indexAxis: 'y',
      scales: { x: { ...axis('time since the first stage began (ms)'), min: 0 }, y: axis('stage') },
      plugins: { legend: { display: false }, tooltip: { callbacks: { label: context => barTip(context.raw as Bar) } } },
    },
  });
}

/** What every lane did: the longest spans lie behind, for others are parts of them. */
export function timeline(stages: Stage[]): HTMLElement {
  const lanes = [...groups(stages, stage => stage.lane).keys()].sort();
  const byName = [...groups(stages, stage => stage.name)];
  const longest = (list: Stage[]): number => Math.max(...list.map(stage => stage.ms));
  const colors = new Map(byName.map(([name], index) => [name, colorOf(index)]));
  byName.sort((a, b) => longest(a[1]) - longest(b[1]));
  const begin = Math.min(...stages.map(stage => stage.start_ms));
  const datasets = byName.map(([name, list]) => ({
    label: name,
    backgroundColor: colors.get(name),
    grouped: false,
    minBarLength: 1,
    data: list.map((stage): Bar => ({ x: [stage.start_ms - begin, stage.start_ms + stage.ms - begin], y: stage.lane })) as never,
  }));
  const height = 150 + 44 * lanes.length + 10 * Math.ceil(byName.length / 3);
  return figure('Timeline of host and device', 'What each thread of the host and the device did; stages that are parts of others lie in front of them.', height, {
    type: 'bar',
    data: { labels: lanes, datasets },
    options: {
      indexAxis: 'y',
      scales: { x: { ...axis('time (ms)'), min: 0 }, y: axis('lane') },
      plugins: {
        legend: { position: 'bottom', labels: { boxWidth: 12 } },
        tooltip: { callbacks: { label: context => `${context.dataset.label ?? ''}: ${barTip(context.raw as Bar)}` } },
      },
    },
  });
}

interface Point { x: number; y: number; low: number; high: number }

function pointsOf(list: Measurement[]): Point[] {
  return list
    .map(each => ({ x: each.size as number, y: each.summary.median, low: each.summary.min, high: each.summary.p90 }))
    .sort((a, b) => a.x - b.x);
}

/** A line through the medians, and the band from the least sample to p90. */
function lineWithBand(name: string, points: Point[], index: number, dash: number[]) {
  const color = colorOf(index);
  const edge = { borderWidth: 0, pointRadius: 0, backgroundColor: faint(color) };
  return [
    { label: name, data: points.map(({ x, y }) => ({ x, y })), borderColor: color, backgroundColor: color, borderDash: dash, tension: 0, pointRadius: 3 },
    { ...edge, label: '', data: points.map(({ x, high }) => ({ x, y: high })), fill: '+1' },
    { ...edge, label: '', data: points.map(({ x, low }) => ({ x, y: low })), fill: false },
  ];
}

/** On a logarithmic axis only 1, 2 and 5 of each decade have a number: the others would lie on one another. */
function tick(value: number | string, wide: boolean): string {
  const number = Number(value);
  const first = Number((number / 10 ** Math.floor(Math.log10(number))).toPrecision(3));
  return wide && ![1, 2, 5].includes(first) ? '' : showTick(number);
}

const isWide = (values: number[]): boolean => Math.min(...values) > 0 && Math.max(...values) / Math.min(...values) >= 16;

/** Measurements of one unit against what they grow with. */
export function against(title: string, list: Measurement[]): HTMLElement {
  const byName = [...groups(list, each => each.name)];
  const sizes = [...new Set(list.map(each => each.size as number))].sort((a, b) => a - b);
  const datasets = byName.flatMap(([name, each], index) => [
    ...lineWithBand(name, pointsOf(each), 2 * index, []),
    ...(each.every(one => one.baseline)
      ? lineWithBand(`${name}, baseline`, pointsOf(each.map(one => ({ ...one, summary: one.baseline?.summary ?? one.summary }))), 2 * index + 1, [5, 4])
      : []),
  ]);
  const first = list[0] as Measurement;
  const wide = isWide(list.map(each => each.summary.median));
  return figure(title, 'Median of the samples; the band reaches from the least to p90.', 340, {
    type: 'line',
    data: { datasets: datasets as never },
    options: {
      scales: {
        x: {
          ...axis(first.size_of ?? 'size'),
          type: isWide(sizes) ? 'logarithmic' : 'linear',
          afterBuildTicks: scale => { scale.ticks = sizes.map(value => ({ value })); },
          ticks: { callback: value => showSize(Number(value)) },
        },
        y: {
          ...axis(first.unit),
          type: wide ? 'logarithmic' : 'linear',
          ticks: { callback: value => tick(value, wide) },
          ...(wide ? {} : { min: 0 }),
        },
      },
      plugins: {
        legend: { labels: { filter: item => item.text !== '' } },
        tooltip: { filter: item => item.dataset.label !== '', callbacks: { title: items => (items[0] ? showSize(items[0].parsed.x ?? 0) : ''), label: context => `${context.dataset.label ?? ''}: ${show(context.parsed.y ?? 0)} ${first.unit}` } },
      },
    },
  });
}

/** Medians side by side, beside those of a baseline. */
export function medians(title: string, list: Measurement[]): HTMLElement {
  const unit = (list[0] as Measurement).unit;
  const named = (label: string, color: string, value: (each: Measurement) => number | null) =>
    ({ label, backgroundColor: color, data: list.map(value), barPercentage: 0.8 });
  const datasets = [named('median', colorOf(0), each => each.summary.median)];
  if (list.some(each => each.baseline)) datasets.push(named('baseline', colorOf(1), each => each.baseline?.summary.median ?? null));
  const wide = isWide(list.map(each => each.summary.median));
  return figure(title, 'Median of each measurement.', rowsHeight(list.length * datasets.length), {
    type: 'bar',
    data: { labels: list.map(each => each.name), datasets },
    options: {
      indexAxis: 'y',
      scales: { x: { ...axis(unit), type: wide ? 'logarithmic' : 'linear', ticks: { maxRotation: 0, callback: value => tick(value, wide) }, ...(wide ? {} : { min: 0 }) }, y: axis('measurement') },
      plugins: { legend: { display: datasets.length > 1 }, tooltip: { callbacks: { label: context => `${context.dataset.label ?? ''}: ${show(context.parsed.x ?? 0)} ${unit}` } } },
    },
  });
}

/** What was watched over time, of one unit. */
export function overTime(list: Series[]): HTMLElement {
  const unit = (list[0] as Series).unit;
  const datasets = list.map((series, index) => ({
    label: series.name,
    data: series.points.map(([x, y]) => ({ x, y })),
    borderColor: colorOf(index),
    backgroundColor: faint(colorOf(index)),
    borderWidth: 1.5,
    pointRadius: series.points.length < 20 ? 2 : 0,
    fill: list.length === 1,
  }));
  return figure(`${list.map(each => each.name).join(', ')} over time`, 'While the command ran.', 260, {
    type: 'line',
    data: { datasets },
    options: {
      scales: { x: { ...axis('time since the begin (s)'), type: 'linear', min: 0 }, y: { ...axis(unit), min: 0 } },
      plugins: { legend: { display: list.length > 1 } },
    },
  });
}
