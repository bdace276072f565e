"""Local language models: `smollm2` and `gguf:` through llama.cpp, `hf:` through transformers."""
