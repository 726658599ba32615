// Run before the program, in its process: the wall clock of this node is wrong by this many milliseconds.

const shiftMs = Number(process.env.TOLLGATE_TEST_CLOCK_SHIFT_MS);
const Wall = Date;
const now = () => Wall.now() + shiftMs;

globalThis.Date = new Proxy(Wall, {
  construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now()] : given),
  apply: () => new Wall(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
