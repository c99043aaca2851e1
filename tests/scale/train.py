# SPDX-License-Identifier: MIT
"""TRL trains a tiny random model on the labels that the recipe of docs/templates.md
makes; |tokenized| is that recipe's.

Use: train.py RECIPE
"""
import math
import sys
import tempfile

import datasets
import tokenizers
import toolwire
import transformers
import trl

TEMPLATE = ('{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}'
            '<|im_end|>\n{% endfor %}'
            '{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}')
PLACES = {'Brest': '4.1 m', 'Oslo': '0.3 m', 'Höfn': '1.2 m', 'Cork': '🦦'}


def byte_tokenizer():
    """One of bytes, but for the markers: many characters have two tokens."""
    made = tokenizers.Tokenizer(tokenizers.models.BPE())
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(
        add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    made.train_from_iterator([], tokenizers.trainers.BpeTrainer(
        special_tokens=['<|im_start|>', '<|im_end|>', '<|pad|>'],
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet()))
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token='<|im_end|>', pad_token='<|pad|>')


def tiny_model(words):
    return transformers.Qwen3ForCausalLM(transformers.Qwen3Config(
        vocab_size=words, hidden_size=32, intermediate_size=64,
        num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=1,
        head_dim=16))


def main():
    template = toolwire.Template(TEMPLATE)
    tokenizer = byte_tokenizer()
    dataset = datasets.Dataset.from_list([
        {'messages': [{'role': 'user', 'content': 'The tide at %s?' % place},
                      {'role': 'assistant', 'content': said}]}
        for place, said in PLACES.items()] * 4)
    with open(sys.argv[1], encoding='utf-8') as file:
        names = {'toolwire': toolwire, 'template': template,
                 'tokenizer': tokenizer, 'dataset': dataset}
        exec(file.read(), names)  # the page's, with its dataset.map()
    dataset = names['dataset']
    for row, said in zip(dataset, PLACES.values()):
        learned = [token for token in row['labels'] if token != -100]
        assert tokenizer.decode(learned) == said + '<|im_end|>', learned
    with tempfile.TemporaryDirectory() as folder:
        trainer = trl.SFTTrainer(
            model=tiny_model(len(tokenizer)), train_dataset=dataset,
            processing_class=tokenizer, args=trl.SFTConfig(
                output_dir=folder, max_steps=4, report_to='none',
                use_cpu=True, bf16=False, per_device_train_batch_size=4))
        batch = next(iter(trainer.get_train_dataloader()))
        given = [token for row in dataset for token in row['labels']]
        share = [token for row in batch['labels'] for token in row.tolist()
                 if token != -100]
        assert set(share) <= set(given) and share, share
        assert math.isfinite(trainer.train().training_loss)
    print('trained on %d of %d tokens a step' % (
        len(share), batch['input_ids'].numel()))


main()
