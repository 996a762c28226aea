"""Papers as documents for pipelines around language models: LangChain and LlamaIndex."""
