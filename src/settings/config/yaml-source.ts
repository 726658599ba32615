import { LineCounter, parseDocument } from 'yaml';
import { printable } from '../../base/schema/printable.ts';
import { type Environment, unveil, veil } from './interpolation.ts';
import { type Conversion, convertNode, type PlacedProblem } from './yaml-conversion.ts';
import { keyOrItemAt, pathAt, type YamlPath } from './yaml-places.ts';

export type Position = { line: number; column: number };
export type LocatedProblem = Position & { path: YamlPath; message: string };

/** A parsed YAML file with the positions of its parts. */
export type YamlSource = {
  value: unknown;
  problems: readonly LocatedProblem[];
  /** Returns the position of a part, or of the nearest existing ancestor of a missing part. */
  locate(path: YamlPath): Position;
  /** The texts of scalars that contain values from the environment, by path. */
  interpolated: ReadonlyMap<string, string>;
};

/** Removes the quoted text from a parser message, since it may contain a secret. */
const withoutQuotation = (message: string): string => printable(unveil(message).replace(/: .*$/s, ''), 200);

const decapitalized = (message: string): string => message.charAt(0).toLowerCase() + message.slice(1);

/** Parses YAML 1.2 (core schema) and fills in `${…}` placeholders from the environment. */
export function readYaml(text: string, environment: Environment): YamlSource {
  const lines = new LineCounter();
  const document = parseDocument(veil(text), { lineCounter: lines, prettyErrors: false, version: '1.2' });
  const positionOf = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const root = document.contents;
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) {
    const problems = faults.map(({ message, pos }) => ({
      path: pathAt(root, pos[0]),
      message: `is not valid YAML: ${decapitalized(withoutQuotation(message))}`,
      ...positionOf(pos[0]),
    }));
    return { value: undefined, problems, locate: () => positionOf(0), interpolated: new Map() };
  }
  const conversion: Conversion = convertNode(root, { document, environment });
  const locate = (path: YamlPath): Position => positionOf(keyOrItemAt(document, path));
  const placed = ({ path, message, offset }: PlacedProblem): LocatedProblem => ({
    path,
    message,
    ...(offset === undefined ? locate(path) : positionOf(offset)),
  });
  return {
    value: conversion.value,
    problems: conversion.problems.map(placed),
    locate,
    interpolated: conversion.interpolated,
  };
}
