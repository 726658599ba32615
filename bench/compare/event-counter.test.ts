import { expect, test } from 'bun:test';
import { EventCounter } from './event-counter.ts';

const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const event = (text: string) => `data: {"delta":"${text}"}\n\n`;
const chunk = (text: string) => `${text.length.toString(16).toUpperCase()}\r\n${text}\r\n`;
const whole =
  head +
  chunk(event('')) +
  chunk(event(' word0') + event(' word1')) +
  chunk(event(' word2').slice(0, 9)) +
  chunk(event(' word2').slice(9)) +
  chunk('data: [DONE]\n\n') +
  '0\r\n\r\n';

test('counts content events alone when a chunk ends within an event', () => {
  const counter = new EventCounter();
  counter.add(whole);
  expect([counter.content, counter.isEnded]).toEqual([3, true]);
});

test('counts the same however the bytes arrive', () => {
  for (const size of [1, 2, 3, 7, 20]) {
    const counter = new EventCounter();
    for (let at = 0; at < whole.length; at += size) counter.add(whole.slice(at, at + size));
    expect([size, counter.content, counter.isEnded]).toEqual([size, 3, true]);
  }
});
