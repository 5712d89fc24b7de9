/** The page of cuzk-bench: reads the results that stand in it and draws them. */
import { against, medians, overTime, timeline, waterfall } from './charts';
import { groups, type Measurement, type Result } from './model';
import { element, show, showSize } from './text';

/** Columns of the table: what stands above each, and whether it holds words. */
const columns: [string, 'text' | 'number'][] = [['measurement', 'text'], ['size', 'text'], ['median', 'number'], ['unit', 'text'], ['p90', 'number'],
  ['p99', 'number'], ['least', 'number'], ['spread', 'number'], ['samples', 'number']];
const sizeColumn = 1;

/** Good, bad or neither, for whoever looks at the colours first. */
function tone(each: Measurement): string {
  const verdict = each.comparison?.verdict;
  if (verdict !== 'less' && verdict !== 'more') return 'neutral';
  return verdict === each.better ? 'good' : 'bad';
}

function row(each: Measurement, sized: boolean, compared: boolean): HTMLElement {
  const s = each.summary;
  const size = each.size === undefined ? '' : `${showSize(each.size)} ${each.size_of ?? ''}`;
  const texts = [each.name, size, show(s.median), each.unit, show(s.p90), show(s.p99), show(s.min), `${(100 * s.spread).toFixed(1)}%`, String(s.count)];
  const cells = texts.map((text, index) => element('td', { class: columns[index]?.[1] ?? 'text' }, text));
  if (!sized) cells.splice(sizeColumn, 1);
  if (compared) {
    const before = each.baseline ? show(each.baseline.summary.median) : '';
    cells.push(element('td', { class: 'number' }, before), element('td', { class: tone(each) }, each.comparison?.text ?? ''));
  }
  return element('tr', {}, ...cells);
}

function table(result: Result): HTMLElement {
  const compared = result.measurements.some(each => each.baseline);
  const of = [...new Set(result.measurements.flatMap(each => (each.baseline ? [each.baseline.of] : [])))].join(', ');
  const sized = result.measurements.some(each => each.size !== undefined);
  const shown = columns.filter((_, index) => sized || index !== sizeColumn);
  const heads = shown.map(([text, kind]) => element('th', { class: kind }, text));
  if (compared) heads.push(element('th', { class: 'number baseline' }, `median of ${of}`), element('th', { class: 'baseline' }, 'against it'));
  return element('div', { class: 'wide' },
    element('table', {}, element('thead', {}, element('tr', {}, ...heads)),
      element('tbody', {}, ...result.measurements.map(each => row(each, sized, compared)))));
}

function environment(result: Result): HTMLElement {
  const rows = Object.entries(result.environment).map(([name, value]) => element('tr', {}, element('th', {}, name), element('td', {}, value)));
  return element('details', {}, element('summary', {}, 'Machine and build'), element('table', { class: 'environment' }, element('tbody', {}, ...rows)));
}

/** "CPU time", or the names of what a plot shows where they are few. */
function titleOf(list: Measurement[]): string {
  const names = [...new Set(list.map(each => each.name))];
  if (names.every(name => name.endsWith('.cpu'))) return 'CPU time of all threads';
  return names.length <= 3 ? names.join(', ') : (list[0]?.unit ?? '');
}

/** Those that were measured at several sizes, by what they count and their unit, CPU time by itself; and the others by their unit. */
function plotsOf(result: Result): HTMLElement[] {
  const plots: HTMLElement[] = [];
  if (result.stages.length > 0) plots.push(waterfall(result.stages), timeline(result.stages));
  const scaling = [...groups(result.measurements.filter(each => each.size !== undefined), each => each.name).values()].filter(list => list.length > 1);
  for (const list of groups(scaling.flat(), each => `${each.size_of ?? ''}\n${each.unit}\n${each.name.endsWith('.cpu')}`).values()) {
    const first = list[0] as Measurement;
    plots.push(against(`${titleOf(list)} against ${first.size_of ?? 'size'}`, list));
  }
  const plain = result.measurements.filter(each => !scaling.some(list => list.includes(each)) && each.size === undefined);
  for (const [unit, list] of groups(plain, each => each.unit)) if (list.length > 1) plots.push(medians(`Medians, ${unit}`, list));
  for (const list of groups(result.series.filter(each => each.points.length > 1), each => each.unit).values()) plots.push(overTime(list));
  return plots;
}

function section(result: Result): HTMLElement {
  const without = result.without.length > 0 ? [element('p', {}, `Without ${result.without.join(', ')}.`)] : [];
  const warmup = result.warmup === 0 ? '' : ` Samples of each measurement that went before and are not counted: ${result.warmup}.`;
  return element('section', {},
    element('h2', {}, `cuzk-bench ${result.command}`),
    element('p', {}, element('code', {}, ['cuzk-bench', ...result.arguments].join(' '))),
    element('p', {}, `${result.begun}.${warmup}`), ...without, environment(result), table(result), ...plotsOf(result));
}

const results = JSON.parse(document.getElementById('results')?.textContent ?? '[]') as Result[];
document.getElementById('report')?.append(element('h1', {}, 'Measurements of cuzk'), ...results.map(section));
