/** A file or a folder of Emscripten's file system in memory. */
type Node = {
  id: number;
  name: string;
  mode: number;
  parent: Node;
  /** The bytes of a file, with room behind them, or the entries of a folder. */
  contents?: Uint8Array | number[] | Record<string, Node>;
  usedBytes?: number;
  /** The next node of the same hash. */
  name_next?: Node;
};

type Stream = { fd: number | null; node: Node; shared: { position: number; flags: number } };

type Files = {
  root: Node;
  nextInode: number;
  nameTable: (Node | undefined)[];
  streams: (Stream | null | undefined)[];
  isDir(mode: number): boolean;
  isFile(mode: number): boolean;
};

type Undo = () => void;

/** Copies all files and the position of each open file. The result restores them. */
export function keepFiles(files: Files): { return(): void } {
  const undos = [...keepTree(files, files.root), ...keepNames(files), ...keepStreams(files)];
  return {
    return() {
      for (const undo of undos) undo();
    },
  };
}

function keepTree(files: Files, node: Node): Undo[] {
  const { name, parent, mode } = node;
  const undoNode = () => void Object.assign(node, { name, parent, mode });
  if (files.isDir(mode)) {
    const entries = { ...(node.contents as Record<string, Node>) };
    const inside = Object.values(entries).flatMap((entry) => keepTree(files, entry));
    const undo = () => {
      node.contents = { ...entries };
    };
    return [undoNode, undo, ...inside];
  }
  return files.isFile(mode) ? [undoNode, keepBytes(node)] : [];
}

function keepBytes(node: Node): Undo {
  const length = node.usedBytes ?? 0;
  const bytes = Uint8Array.from((node.contents as Uint8Array | undefined)?.subarray?.(0, length) ?? []);
  return () => {
    const now = node.contents as Uint8Array | undefined;
    if (now && now.length >= length && node.usedBytes === length && isSame(now, bytes, length)) return;
    if (now && now.length >= length) {
      now.set(bytes);
      now.fill(0, length);
    } else node.contents = bytes.slice();
    node.usedBytes = length;
  };
}

const isSame = (one: Uint8Array, other: Uint8Array, length: number): boolean =>
  length === 0 || Buffer.compare(one.subarray(0, length), other) === 0;

/** Copies the table by which names are found, and restores it. */
function keepNames(files: Files): Undo[] {
  const { nextInode } = files;
  const chains = Array.from(files.nameTable, (first) => {
    const chain: Node[] = [];
    for (let node = first; node; node = node.name_next) chain.push(node);
    return chain;
  });
  const undo = () => {
    files.nextInode = nextInode;
    files.nameTable.fill(undefined);
    for (const [hash, chain] of chains.entries()) {
      files.nameTable[hash] = chain[0];
      for (const [at, node] of chain.entries()) node.name_next = chain[at + 1] as Node;
    }
  };
  return [undo];
}

function keepStreams(files: Files): Undo[] {
  const kept = Array.from(files.streams, (stream) =>
    stream ? { stream, fd: stream.fd, node: stream.node, shared: { ...stream.shared } } : undefined,
  );
  const undo = () => {
    files.streams.length = 0;
    for (const [at, one] of kept.entries()) {
      if (one) Object.assign(one.stream.shared, one.shared);
      if (one) Object.assign(one.stream, { fd: one.fd, node: one.node });
      files.streams[at] = one?.stream ?? null;
    }
  };
  return [undo];
}
