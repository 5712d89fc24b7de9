/** Numbers as people read them, and elements that hold text. */
export function show(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= 1000) return Math.round(value).toLocaleString('en');
  return value.toPrecision(size >= 100 ? 4 : 3);
}

/** At an axis, where long numbers would lie on one another: "0.001", "1,500", "20K". */
export function showTick(value: number): string {
  const notation = Math.abs(value) >= 10_000 ? 'compact' : 'standard';
  return value.toLocaleString('en', { notation, maximumSignificantDigits: 4 });
}

/** "2^20" for powers of two from 1024 on. */
export function showSize(size: number): string {
  const log2 = Math.log2(size);
  return size >= 1024 && Number.isInteger(log2) ? `2^${log2}` : size.toLocaleString('en');
}

/** An element with children; strings become text and never markup. */
export function element(tag: string, attributes: Record<string, string>, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
