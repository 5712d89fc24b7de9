/** Colours that differ in lightness too, so that they stay apart in print and for most eyes. */
const palette = ['#1f6fb4', '#e0862d', '#3a9a5b', '#b8416b', '#7d63b8', '#8a6d3b', '#2aa5b5', '#9b9b2f', '#c9564a', '#5b6f82',
  '#17406b', '#f2b866', '#8fcf9f', '#e08bb0'];

export const colorOf = (index: number): string => palette[index % palette.length] as string;
export const faint = (color: string): string => `${color}33`;
