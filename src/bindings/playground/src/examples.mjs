// SPDX-License-Identifier: MIT
//
// What the playground shows first: each a format and what a model wrote.
export const EXAMPLES = [
    ['Hermes: reasoning, text, a call', 'hermes',
        '<think>\nThe harbour is Brest, for two days.\n</think>\n\n'
        + 'Let me see.\n<tool_call>\n{"name": "get_tide", "arguments": '
        + '{"harbour": "Brest", "days": 2, "units": ["m", "ft"]}}\n'
        + '</tool_call>'],
    ['Hermes: slips, and a call that is none', 'hermes',
        'See.\n<tool_call>{"name": "get_tide", "arguments": {\'harbour\': '
        + '"Brest", "wet": True,}}</tool_call>\n<tool_call>{"name": '
        + '"get_tide", "arguments": [1]}</tool_call>'],
    ['Qwen3-Coder: a program between tags', 'qwen3-coder',
        'I write it.\n<tool_call>\n<function=write_file>\n<parameter=path>\n'
        + 'tide.py\n</parameter>\n<parameter=text>\nif a < b and "x" in c:\n'
        + '    print("high")\n</parameter>\n</function>\n</tool_call>'],
    ['Gemma 4: strings without escapes', 'gemma4',
        '<|tool_call>call:get_tide{harbour:<|"|>Brest<|"|>,days:2,near:'
        + '[<|"|>a "quoted" one<|"|>]}<tool_call|>'],
    ['Harmony: channels', 'harmony',
        '<|channel|>analysis<|message|>Ask the tool.<|end|><|start|>assistant'
        + '<|channel|>commentary to=functions.get_tide <|constrain|>json'
        + '<|message|>{"harbour":"Brest"}<|call|>'],
    ['GLM 4.5: keys and values', 'glm/4.5',
        'One moment.\n<tool_call>get_tide\n<arg_key>harbour</arg_key>\n'
        + '<arg_value>Brest</arg_value>\n</tool_call>'],
    ['Llama 3.2: calls in Python\'s form', 'llama3.2',
        '[get_tide(harbour="Brest", days=2), now()]'],
];

export const REQUEST = `{
  "messages": [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Tide at Brest?"}
  ],
  "tools": [
    {"type": "function", "function": {
      "name": "get_tide",
      "description": "The tide at a harbour",
      "parameters": {"type": "object", "properties": {
        "harbour": {"type": "string"}}}}}
  ],
  "add_generation_prompt": true
}`;
