import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isDark } from '../app/theme.ts';
import type { PlotProps } from './chart-props.ts';

/** Draws a chart into a place, and draws it again if its values or the colour scheme change. */
export function useChartDrawing(
  place: RefObject<HTMLElement | null>,
  props: PlotProps,
  onPick: (index: number) => void,
): void {
  const latest = useRef({ props, onPick });
  latest.current = { props, onPick };
  const removeDrawing = useRef<() => void>(undefined);
  // Equal values are not drawn again. Functions are not compared, since each rendering makes new ones.
  const content = JSON.stringify(props);
  useEffect(() => {
    let isOutdated = false;
    void import('./draw-chart.ts').then(({ drawChart }) => {
      if (isOutdated || !place.current) return;
      // The old picture stays until the new one is there.
      removeDrawing.current?.();
      removeDrawing.current = drawChart(place.current, {
        ...latest.current.props,
        onPick: (index) => latest.current.onPick(index),
      });
    });
    return () => {
      isOutdated = true;
    };
  }, [content, isDark.value]);
  useEffect(() => () => removeDrawing.current?.(), []);
}
