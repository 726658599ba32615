import type { PlotProps } from './chart-props.ts';
import { plot } from './plot.ts';

type ChartDrawing = PlotProps & {
  /** The chart calls it with the index of a pressed time. */
  onPick: (index: number) => void;
};

/** The width of a chart whose place is not laid out yet. */
const FIRST_WIDTH = 600;

/** The width of a chart on paper, in pixels of the screen. */
const PAPER_WIDTH = 660;

/** Draws a chart into an element, and follows its width. Returns a function that removes it. */
export function drawChart(place: HTMLElement, drawing: ChartDrawing): () => void {
  const chart = plot(place, place.clientWidth || FIRST_WIDTH, drawing);
  // A new size clears the picture until it is drawn again.
  const observer = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry!.contentRect.width);
    if (width > 0 && width !== chart.width) chart.setSize({ width, height: drawing.height });
  });
  observer.observe(place);
  chart.over.addEventListener('click', () => {
    if (typeof chart.cursor.idx === 'number') drawing.onPick(chart.cursor.idx);
  });
  const endPrinting = drawForPaper(place, drawing);
  return () => {
    observer.disconnect();
    chart.destroy();
    endPrinting();
  };
}

/**
 * Paper has a different width than the screen and no dark colours, so it gets a picture of its own while the
 * page is printed.
 */
function drawForPaper(place: HTMLElement, props: PlotProps): () => void {
  let sheet: HTMLElement | undefined;
  const remove = () => {
    sheet?.remove();
    sheet = undefined;
  };
  const draw = () => {
    remove();
    sheet = document.createElement('div');
    sheet.className = 'chart-print';
    place.append(sheet);
    plot(sheet, PAPER_WIDTH, props);
  };
  addEventListener('beforeprint', draw);
  addEventListener('afterprint', remove);
  return () => {
    removeEventListener('beforeprint', draw);
    removeEventListener('afterprint', remove);
    remove();
  };
}
