import { describe, expect, test } from 'bun:test';
import { decodeMessage, itemsIn, tracesRequest } from '../../../test/support/otlp-messages.ts';
import { addToJson, addToProtobuf } from './add-resource-attributes.ts';
import { writeAttributes } from './attributes.ts';
import { ProtobufWriter } from './protobuf-writer.ts';

const added = { 'account.id': 'acct_1', 'key.id': 'key_1' };

/** Exports a span whose resource has these attributes. */
function exported(attributes: Record<string, string> | undefined): Uint8Array {
  const writer = new ProtobufWriter();
  const all = writer.open(1);
  if (attributes) {
    const own = writer.open(1);
    writeAttributes(writer, 1, attributes);
    writer.varintField(2, 7); // dropped_attributes_count
    writer.close(own);
  }
  const scoped = writer.open(2);
  writer.close(writer.open(1));
  const span = writer.open(2);
  writer.stringField(5, 'a span');
  writer.fixed64Field(7, 123);
  writer.close(span);
  writer.close(scoped);
  writer.stringField(3, 'https://schema.example');
  writer.close(all);
  return writer.copy();
}

const read = (bytes: Uint8Array) =>
  itemsIn(decodeMessage(Buffer.from(bytes), tracesRequest)).map(({ item, resource }) => [
    item['name'],
    resource,
  ]);

describe('protobuf', () => {
  test('a resource gets the attributes, and those of the same names give way', () => {
    const given = { 'service.name': 'claude-code', 'account.id': 'acct_of_another' };
    const bytes = addToProtobuf(exported(given), added);
    expect(read(bytes)).toEqual([['a span', { 'service.name': 'claude-code', ...added }]]);
    expect(Buffer.from(bytes).toString('latin1')).not.toContain('acct_of_another');
    expect(Buffer.from(bytes).toString('latin1')).toContain('https://schema.example');
  });

  test('an export without a resource gets one unless it is empty', () => {
    expect(read(addToProtobuf(exported(undefined), added))).toEqual([['a span', added]]);
    expect(addToProtobuf(new Uint8Array(), added)).toHaveLength(0);
  });

  test('bytes that are no message are refused at every length', () => {
    const whole = exported({ a: 'b' });
    for (let length = 1; length < whole.length; length++)
      expect(() => addToProtobuf(whole.subarray(0, length), added)).toThrow(RangeError);
    expect(() => addToProtobuf(new TextEncoder().encode('{"resourceLogs":[]}'), added)).toThrow(RangeError);
  });
});

describe('JSON', () => {
  test('the attributes replace those of the same names in each resource', () => {
    const attributes = [
      { key: 'account.id', value: { stringValue: 'other' } },
      { key: 'a', value: { intValue: '1' } },
    ];
    const text = JSON.stringify({ resourceLogs: [{ resource: { attributes }, scopeLogs: [] }, {}] });
    const value = JSON.parse(addToJson(text, added));
    const own = Object.entries(added).map(([key, stringValue]) => ({ key, value: { stringValue } }));
    expect(value).toEqual({
      resourceLogs: [
        { resource: { attributes: [attributes[1], ...own] }, scopeLogs: [] },
        { resource: { attributes: own } },
      ],
    });
  });

  test.each(['', '[]', 'null', '{"resourceLogs":[1]}', '{'])('%p is refused', (text) => {
    expect(() => addToJson(text, added)).toThrow(SyntaxError);
  });
});
